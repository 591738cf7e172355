import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, runInMemory, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

const LONG = 10_000;

/** Labels that would be markup, formulas or directions of writing, were they not text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<svg onload=alert(2)><circle r=9></svg>',
  '"><img src=x onerror=alert(3)>',
  "' onfocus='alert(4)' autofocus='",
  '</style><style>body{display:none}</style>',
  '</td></tr></table></main><h1>Approved</h1>',
  '=HYPERLINK("https://example.org","x")',
  '+cmd|x',
  '\u202Egnp.exe',
  '\u2067right to left\u2066',
  'x'.repeat(LONG),
  '<!-- -->',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a label that would be a template.
  '${alert(5)} {{alert(6)}}',
  '&lt;b&gt; &amp;amp;',
];

/** Elements of a page, and its attributes; whatever else appears came from a label. */
const ELEMENTS = new Set(
  [
    'html head meta title style body a aside p strong header h1 h2 h3 h4 div nav ol ul li main section dl dt dd span',
    'table caption thead tbody tr th td code bdi em figure figcaption details summary svg g path line text circle tspan',
    'math mrow mi mo mn msub msup mfrac munder mover mspace footer noscript',
  ]
    .join(' ')
    .split(' '),
);

/** A table whose categories are hostile, and whose variables are called so. */
function hostileTable(): Uint8Array {
  const [header, ...rows] = csvRows(smallTable());
  const categories = header!.map((_, column) => [...new Set(rows.map((row) => row[column]!))].sort());
  let next = 0;
  const named = categories.map((own) => new Map(own.map((one) => [one, HOSTILE[next++ % HOSTILE.length]!])));
  const names = header!.map((name, column) => `${name} ${HOSTILE[(3 * column) % HOSTILE.length]!}`);
  return encodeCsv(
    names,
    rows.map((row) => row.map((one, column) => named[column]!.get(one)!)),
  );
}

describe('a page whose labels are hostile', () => {
  let page: string;
  let table: Uint8Array;

  beforeAll(async () => {
    table = hostileTable();
    const [header] = csvRows(table);
    const { store, keys } = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse({
        ...SMALL_SETTINGS,
        synthesis: { datasets: 2, synthesized: [header![0]!, header![3]!] },
        identification: [{ known: [header![1]!] }],
        attributeRisk: {
          scenarios: [
            { name: HOSTILE[0]!, candidates: { unknown: [header![0]!, header![3]!] } },
            { name: HOSTILE[4]!, candidates: { unknown: [header![0]!] } },
          ],
        },
      }),
      table,
    });
    const report = new TextDecoder().decode(await store.get(keys.confidential.report));
    // What the program of the page makes of its data is tried in a browser (test/browser/hostile.test.ts).
    page = report
      .replace(/<script type="application\/json" id="record-data">[^<]*<\/script>/, '')
      .replace(/<script>"use strict";.*?<\/script>/s, '')
      .replace(/<template id="record-chart-[a-zA-Z]+">(<svg.*?<\/svg>)<\/template>/gs, '$1');
  });

  it('has no element and no attribute that the page has not of its own', () => {
    const tags = [...page.matchAll(/<\/?([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[a-zA-Z0-9:-]+(?:="[^"]*")?)*)\s*\/?>/g)];
    expect([...new Set(tags.map(([, name]) => name!))].filter((name) => !ELEMENTS.has(name))).toEqual([]);
    const attributes = tags.flatMap(([, , all]) => [...all!.matchAll(/([a-zA-Z0-9:-]+)(?:="[^"]*")?/g)].map(([, name]) => name!));
    expect(attributes.filter((name) => /^on|^style$|^src$|^srcdoc$|^autofocus$/i.test(name))).toEqual([]);
    // Every `<` begins a tag or the doctype: what is text has it as an entity.
    expect(page.split('<').length - 1).toBe(tags.length + 1);
    expect([...page.matchAll(/<a [^>]*href="([^"]*)"/g)].every(([, address]) => address!.startsWith('#'))).toBe(true);
    expect([...page.matchAll(/<h1>/g)]).toHaveLength(1);
    expect([...page.matchAll(/<style>/g)]).toHaveLength(1);
  });

  it('shows them as text', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('<bdi>=HYPERLINK(&quot;https://example.org&quot;,&quot;x&quot;)</bdi>');
    expect(page).toContain('&#39; onfocus=&#39;alert(4)&#39; autofocus=&#39;</bdi>');
  });

  it('sets marks of direction apart, so that they turn nothing but their label', () => {
    expect(page).toMatch(/\bcode \{[^}]*unicode-bidi: isolate;/);
    const outside = page
      .replace(/<(bdi|code)>[^<]*<\/\1>/g, '')
      .replace(/<(svg|details|figcaption|title)[\s>].*?<\/\1>/gs, '')
      .replace(/aria-label="[^"]*"/g, '');
    expect(outside).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  it('shows a beginning of a label that is long, with its length, and stays small', () => {
    expect(page).not.toContain('x'.repeat(200));
    expect(page).toContain(`${'x'.repeat(80)}… (10,000 characters)`);
    expect(page.length).toBeLessThan(1_000_000);
  });
});
