import type { ExpressionProblem } from '../language/expressions/parse-tag-text.ts';
import type { ScannedTag, TagProblem } from '../language/scan-tags.ts';
import type { TagParser } from '../language/scope.ts';
import type { TagSyntax, TagSyntaxes } from '../language/tag.ts';
import type { DocxPackage } from '../package/open-package.ts';
import type { CollapsedStretch } from './compile/collapse-static.ts';
import type { FeatureNode, Node } from './nodes.ts';
import type { ParsedPiece } from './parsed-piece.ts';
import type { PictureKind } from './pictures/picture.ts';
import type { Render, RenderState, ValueWriter } from './render/render-state.ts';

/*
 * A feature adds one ability to templates: columns, images, links. It is an object of hooks in `features.ts`; core calls the
 * hooks in a fixed order and knows nothing else of it. Within one step features run in the order of the list.
 *
 * Upload and first use, for each part:
 *   openPart   begins a part; may rewrite its markup before tags are read
 *   scan       sees the rewritten markup of the part; reports mistakes outside of its text
 *   (core finds and checks the tags; `tag.check` sees those with the feature's prefix; docxtemplater expands sections)
 *   arrange    rearranges the parsed pieces; reports what stands in the wrong place
 *   (core rejects the template if there is any mistake)
 *   extract    replaces pieces by nodes, in a part without mistakes
 *   readNodes  builds the nodes of the tags with the feature's prefix, and splits texts
 *
 * Each document:
 *   node.render, writeValue   write, while core walks the nodes
 *   finish        after each part
 *   finishRender  after all parts; adds parts to the package
 *
 * A feature may import core, language and package, never another feature. What it remembers in a render it keeps in
 * `oncePerRender` or `oncePerPart`. Compiled templates stay in memory: nodes and `finish` must not hold on to markup.
 */
export interface Feature {
  readonly name: string;
  /** The prefix of the feature's tags, and how they are checked. */
  readonly tag?: FeatureTag;
  /** Kinds of pictures for `{%keyword text}`. */
  readonly pictures?: readonly PictureKind[];
  /** Begins the compilation of a part; undefined where the feature has nothing to do with it. */
  readonly openPart?: (part: TemplatePart) => PartCompiler | undefined;
  /** Markup without the attributes and fields that the feature fills: tags in what is left are never filled. */
  readonly withoutFilled?: (xml: string) => string;
  readonly writeValue?: ValueWriter;
  /** The parts that change because of what was rendered. */
  readonly finishRender?: (render: Render) => Iterable<readonly [name: string, bytes: Buffer]>;
  /** The parts of a sanitized template that must change for its PDF to come out right. */
  readonly prepareForConverter?: (source: DocxPackage) => ReadonlyMap<string, Buffer>;
}

export interface FeatureTag extends Omit<TagSyntax, 'check'> {
  readonly check: (text: string, features: Features) => ExpressionProblem | undefined;
}

/** A part of the template that may hold tags. */
export interface TemplatePart {
  readonly source: DocxPackage;
  readonly name: string;
  /** The markup, as the features before left it. */
  readonly xml: string;
  readonly features: Features;
}

/** What one feature does in one part. */
export interface PartCompiler {
  /** The rewritten markup. */
  readonly xml?: string;
  readonly scan?: (xml: string) => PartScan;
  readonly arrange?: (pieces: readonly ParsedPiece[], part: ArrangedPart) => readonly ParsedPiece[];
  readonly extract?: (pieces: readonly ParsedPiece[], part: ScannedText) => readonly ParsedPiece[];
  readonly readNodes?: (part: ScannedText) => NodeReader;
  readonly finish?: (state: RenderState) => void;
}

/** What a feature knows from the markup of a part. */
export interface PartScan {
  /** There is something to fill outside of the text. */
  readonly hasTags?: boolean;
  /** Rows and cells of tables with tags must stay visible to `arrange`. */
  readonly keepsCells?: boolean;
  /** Content controls that hold this element must stay visible to `extract`. */
  readonly keepsControlsWith?: string;
  /** Mistakes outside of the part's text. */
  readonly problems?: readonly TagProblem[];
  /** Mistakes in other texts, each with its text. */
  readonly elsewhere?: readonly { readonly text: string; readonly problem: TagProblem }[];
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
  /** Reports a tag that stands in the wrong place: "the {subject} {tag} {problem}". */
  readonly report: (fault: TagFault) => void;
}

export interface TagFault {
  readonly subject: string;
  readonly problem: string;
  readonly hint: string;
  /** The placeholder of the tag. */
  readonly piece: ParsedPiece;
}

/** Follows the pieces of a part in their order and builds nodes. */
export interface NodeReader {
  /** Sees all markup, tag by tag and text by text. */
  readonly read?: (xml: string) => void;
  /** The prefix of the tags that `build` takes. */
  readonly prefix?: string;
  readonly build?: (tag: string, around: TagSurroundings) => FeatureNode;
  /** A text in pieces, where some of it becomes nodes; undefined where none does. */
  readonly splitText?: (xml: string) => readonly (string | Node)[] | undefined;
}

/** What stands around a tag. */
export interface TagSurroundings {
  /** The `w:rPr` of its run, empty without one; undefined outside of Word runs. */
  readonly runProperties: string | undefined;
  /** Whether a link may stand here. */
  readonly mayLink: boolean;
}

/** The features of an engine, and what they add to the language. */
export interface Features {
  readonly all: readonly Feature[];
  readonly syntaxes: TagSyntaxes;
  /** By keyword. */
  readonly pictures: ReadonlyMap<string, PictureKind>;
}

export function assembleFeatures(all: readonly Feature[]): Features {
  const syntaxes = new Map<string, TagSyntax>();
  const pictures = new Map(all.flatMap((feature) => (feature.pictures ?? []).map((kind) => [kind.keyword, kind])));
  const features: Features = { all, syntaxes, pictures };
  for (const { tag } of all) {
    if (tag !== undefined) syntaxes.set(tag.prefix, { ...tag, check: (text) => tag.check(text, features) });
  }
  return features;
}
