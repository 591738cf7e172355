import { type EvidenceInput, evidenceSections } from './evidence-sections.ts';
import { EVIDENCE_CONFIDENTIALITY, EVIDENCE_TITLE } from './render-evidence.ts';

/** What zip archives have as a date at the earliest, in local time: the same bytes everywhere. */
const EARLIEST = new Date(1980, 0, 1);

/**
 * The evidence pack as a document of an office (.docx), with headings and tables that can be filled in. It has no date but that
 * of the run: equal input gives equal bytes.
 */
export async function evidenceDocx(input: EvidenceInput): Promise<Uint8Array> {
  // Loaded where a pack is asked for: other commands start without them.
  const { strFromU8, strToU8, unzipSync, zipSync } = await import('fflate');
  const { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } = await import('docx');
  const cell = (text: string, isHead: boolean) =>
    new TableCell({ children: [new Paragraph({ children: [new TextRun({ text, bold: isHead })] })] });
  const children = evidenceSections(input).flatMap(({ title, paragraphs, tables }) => [
    new Paragraph({ text: title, heading: HeadingLevel.HEADING_1 }),
    ...paragraphs.map((text) => new Paragraph({ text, spacing: { after: 120 } })),
    ...tables.flatMap(({ caption, heads, rows }) => [
      new Paragraph({ text: caption, heading: HeadingLevel.HEADING_2 }),
      new Table({
        width: { size: 100, type: WidthType.PERCENTAGE },
        rows: [
          new TableRow({ tableHeader: true, children: heads.map((text) => cell(text, true)) }),
          ...rows.map((row) => new TableRow({ children: row.map((text, place) => cell(text, place === 0)) })),
        ],
      }),
    ]),
  ]);
  const document = new Document({
    creator: `synthrisk ${input.summary.version}`,
    lastModifiedBy: `synthrisk ${input.summary.version}`,
    title: EVIDENCE_TITLE,
    sections: [
      {
        children: [
          new Paragraph({ text: EVIDENCE_TITLE, heading: HeadingLevel.TITLE }),
          new Paragraph({ children: [new TextRun({ text: `Confidential. ${EVIDENCE_CONFIDENTIALITY}`, bold: true })] }),
          ...children,
        ],
      },
    ],
  });
  const files = unzipSync(new Uint8Array(await Packer.toArrayBuffer(document)));
  const core = 'docProps/core.xml';
  files[core] = strToU8(strFromU8(files[core]!).replace(/<dcterms:(created|modified)\b.*?<\/dcterms:\1>/g, ''));
  return zipSync(files, { mtime: EARLIEST });
}
