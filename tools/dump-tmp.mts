import { readFileSync } from 'node:fs';
import { openPdf } from '../src/worker/pdf/conformance/open-pdf.ts';
import { PdfDict, PdfArray, PdfName, PdfStream, PdfRef } from '@libpdf/core';
const f = await openPdf(readFileSync(process.argv[2]!));
const show=(v:any,d=0):string=>{ if(v instanceof PdfRef) return `${v.objectNumber}R`; if(v instanceof PdfArray) return '['+[...v].slice(0,12).map(x=>show(x,d+1)).join(' ')+']'; if(v instanceof PdfDict) return '<<'+[...v].map(([k,x])=>'/'+k.value+' '+show(x,d+1)).join(' ')+'>>'+(v instanceof PdfStream?'S':''); if(v instanceof PdfName) return '/'+v.value; if(v?.type==='string') return '('+v.asString().slice(0,60)+')'; return v&&'value' in v?String(v.value):String(v?.type)};
for (const [n,o] of f.objects()) { const t=show(o); if(!process.argv[3] || new RegExp(process.argv[3]).test(t)) console.log(n, t.slice(0,700)); }
