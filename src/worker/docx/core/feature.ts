import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import type { Dictionary } from '../language/dictionary.ts';
import type { ExpressionProblem } from '../language/expressions/parse-tag-text.ts';
import type { ScannedTag, TagProblem } from '../language/scan-tags.ts';
import type { TagParser } from '../language/scope.ts';
import type { TagSyntax, TagSyntaxes } from '../language/tag.ts';
import type { DocxPackage } from '../package/open-package.ts';
import type { CollapsedStretch } from './compile/collapse-static.ts';
import type { Compose, Inclusion } from './inclusion.ts';
import type { FeatureNode, Node, SectionNode } from './nodes.ts';
import type { ParsedPiece } from './parsed-piece.ts';
import type { PictureKind } from './pictures/picture.ts';
import { type Memory, remembered } from './render/memory.ts';
import type { Render, RenderState, ValueWriter } from './render/render-state.ts';
import type { Warning } from './warning.ts';

/*
 * A feature adds one ability to templates: columns, images, links. It is an object of hooks in `features.ts`; core calls the
 * hooks in a fixed order and depends on nothing else. Within one step, features run in the order of the list.
 *
 * Upload and first use, for each part:
 *   compose    changes the whole template before it is read (once)
 *   openPart   begins a part; may rewrite its markup before tags are read
 *   scan       sees the rewritten markup of the part; reports mistakes outside its text
 *   (core finds and checks the tags; `tag.check` sees those with the feature's prefix; docxtemplater expands sections)
 *   arrange    rearranges the parsed pieces; reports misplaced tags; afterwards `words` has the words that it found
 *   (core rejects the template if there is any mistake)
 *   extract    replaces pieces with nodes, in a part without mistakes
 *   readNodes  builds the nodes of the tags with the feature's prefix, and splits texts
 *
 * Each document:
 *   node.render, writeValue   write output while core walks the nodes
 *   finish        after each part
 *   finishRender  after all parts; adds parts to the package
 *
 * A feature may import core, language and package, never another feature. It keeps the state of a render in
 * `oncePerRender` or `oncePerPart`. Compiled templates are cached: nodes and `finish` must not retain markup.
 */
export interface Feature {
  readonly name: string;
  /** The prefix of the feature's tags, and how they are checked. */
  readonly tag?: FeatureTag;
  /** Kinds of pictures for `{%keyword text}`. */
  readonly pictures?: readonly PictureKind[];
  /** Changes a whole template before anything else is read. */
  readonly compose?: Compose;
  /** Begins the compilation of a part; undefined where the feature has nothing to do with it. */
  readonly openPart?: (part: TemplatePart) => PartCompiler | undefined;
  /** The markup without the attributes and fields that the feature fills. Tags in the remainder are never filled. */
  readonly withoutFilled?: (xml: string) => string;
  readonly writeValue?: ValueWriter;
  /** Parts that change because of the rendered content. */
  readonly finishRender?: (render: Render) => Iterable<readonly [name: string, bytes: Buffer]>;
  /** Parts of a sanitized template that must change for a correct PDF conversion. */
  readonly prepareForConverter?: (source: DocxPackage) => ReadonlyMap<string, Buffer>;
}

export interface FeatureTag extends Omit<TagSyntax, 'check'> {
  readonly check: (text: string, features: Features) => ExpressionProblem | undefined;
}

/** A template while it is compiled. */
export interface TemplateInput {
  readonly source: DocxPackage;
  /** The package as it was uploaded: for a PDF, `source` has no embedded files. */
  readonly original: DocxPackage;
  readonly features: Features;
  readonly syntax: TemplateSyntax;
  /** The included templates whose content the package holds, by the hidden numbers of their sections. */
  readonly inclusions: readonly Inclusion[];
  /** See `oncePerTemplate`. */
  readonly memory: Memory<TemplateInput>;
}

/** Creates a value once per compilation, on first use. */
export function oncePerTemplate<T>(make: (template: TemplateInput) => T): (template: TemplateInput) => T {
  return (template) => remembered(template, make);
}

/** A part of the template that may hold tags. */
export interface TemplatePart {
  readonly template: TemplateInput;
  readonly source: DocxPackage;
  readonly name: string;
  /** The name by which authors know the part: `body`, `chart 1`. */
  readonly label: string;
  /** The markup after the changes of earlier features. */
  readonly xml: string;
  readonly features: Features;
}

/** The work of one feature in one part. */
export interface PartCompiler {
  /** The rewritten markup. */
  readonly xml?: string;
  readonly scan?: (xml: string) => PartScan;
  readonly arrange?: (pieces: readonly ParsedPiece[], part: ArrangedPart) => readonly ParsedPiece[];
  /** The words that `arrange` found for the formatter `translate`. */
  readonly words?: () => Dictionary;
  readonly extract?: (pieces: readonly ParsedPiece[], part: ScannedText) => readonly ParsedPiece[];
  readonly readNodes?: (part: ScannedText) => NodeReader;
  readonly finish?: (state: RenderState) => void;
}

/** The findings of a feature in the markup of a part. */
export interface PartScan {
  /** Whether there is something to fill outside the text. */
  readonly hasTags?: boolean;
  /** Whether rows and cells of tables with tags must stay visible to `arrange`. */
  readonly keepsCells?: boolean;
  /** Content controls that hold this element must stay visible to `extract`. */
  readonly keepsControlsWith?: string;
  /** What the template's author may expect of the feature in this part, but it cannot do. */
  readonly warnings?: readonly Warning[];
  /** Mistakes outside the part's text. */
  readonly problems?: readonly TagProblem[];
  /** Mistakes in other strings, each with the string and its place in the part. */
  readonly elsewhere?: readonly {
    readonly text: string;
    readonly problem: TagProblem;
    readonly place?: string | undefined;
  }[];
  /** Relationships whose targets the feature fills. */
  readonly filledRelationships?: ReadonlySet<string>;
}

/** A part whose tags are known. */
export interface ScannedText {
  readonly tags: readonly ScannedTag[];
  readonly parser: TagParser;
  readonly stretches: readonly CollapsedStretch[];
  /** The collapsed markup of the main part, whose last page setup counts for headers, footers and notes. */
  readonly mainXml: string;
}

export interface ArrangedPart extends ScannedText {
  /** Reports a misplaced tag: "the {subject} {tag} {problem}". */
  readonly report: (fault: TagFault) => void;
}

export interface TagFault {
  readonly subject: string;
  readonly problem: string;
  readonly hint: string;
  /** The placeholder of the tag. */
  readonly piece: ParsedPiece;
}

/** Visits the pieces of a part in order and builds nodes. */
export interface NodeReader {
  /** Receives all markup, tag by tag and text by text. */
  readonly read?: (xml: string) => void;
  /** The prefix of the tags that `build` handles. */
  readonly prefix?: string;
  readonly build?: (tag: string, around: TagSurroundings) => FeatureNode;
  /** Replaces the expression of a section; undefined for sections of other features. */
  readonly readSection?: (tag: string) => Pick<SectionNode, 'expression' | 'tag' | 'included'> | undefined;
  /** Splits a string of which a part becomes nodes; undefined for any other string. */
  readonly splitText?: (xml: string) => readonly (string | Node)[] | undefined;
}

/** The context of a tag. */
export interface TagSurroundings {
  /** The `w:rPr` of its run, empty without one; undefined outside Word runs. */
  readonly runProperties: string | undefined;
  /** Whether a link is allowed here. */
  readonly mayLink: boolean;
}

/** The features of an engine, and what they add to the language. */
export interface Features {
  readonly all: readonly Feature[];
  readonly syntaxes: TagSyntaxes;
  /** Kinds of pictures by keyword. */
  readonly pictures: ReadonlyMap<string, PictureKind>;
  readonly valueWriters: readonly ValueWriter[];
}

export function assembleFeatures(all: readonly Feature[]): Features {
  const syntaxes = new Map<string, TagSyntax>();
  const pictures = new Map(all.flatMap((feature) => (feature.pictures ?? []).map((kind) => [kind.keyword, kind])));
  const valueWriters = all.flatMap(({ writeValue }) => writeValue ?? []);
  const features: Features = { all, syntaxes, pictures, valueWriters };
  for (const { tag } of all) {
    if (tag !== undefined) syntaxes.set(tag.prefix, { ...tag, check: (text) => tag.check(text, features) });
  }
  return features;
}
