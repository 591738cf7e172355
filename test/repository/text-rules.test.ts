import { describe, expect, it } from 'vitest';
import {
  anchorViolations,
  commentViolations,
  fetchingViolations,
  linkViolations,
  machineViolations,
  mergeViolations,
  nameViolations,
  pathViolations,
  phraseViolations,
  stringViolations,
  versionViolations,
} from './text-rules.ts';

describe('versionViolations()', () => {
  it.each(['^1.2.3', '~1.2.3', '1.2', '*', 'latest', '>=1.2.3', '1.2.3 || 2.0.0', 'file:../a'])('finds %s', (version) => {
    const both = JSON.stringify({ dependencies: { a: version }, devDependencies: { b: version } });
    expect(versionViolations('package.json', both)).toHaveLength(2);
  });

  it('accepts exact versions', () => {
    const source = JSON.stringify({ dependencies: { a: '1.2.3' }, devDependencies: { b: '1.0.0-rc.1' } });
    expect(versionViolations('package.json', source)).toEqual([]);
  });
});

describe('fetchingViolations()', () => {
  // In pieces, so that this file does not say them itself.
  it.each(['npx', 'npx --yes', 'npx -y --offline', 'npm exec', 'npm x --', 'npx\n   '])('finds %j', (fetching) => {
    expect(fetchingViolations('x.md', `first\nrun \`${fetching} ${'synthrisk'} plan\``)).toEqual([
      'x.md:2: runs a package that it may fetch; expected npx --no-install',
    ]);
  });

  it.each([
    'npx --no-install synthrisk plan',
    'npx --offline --no-install synthrisk plan',
    'npx ./synthrisk-*.tgz plan',
    'npx vitest run && synthrisk plan',
  ])('leaves %j', (command) => {
    expect(fetchingViolations('x.md', command)).toEqual([]);
  });
});

describe('machineViolations()', () => {
  // In pieces, so that this file does not name them itself.
  it.each(['work', 'root', 'home'])('finds the absolute folder %s', (folder) => {
    expect(machineViolations('x.sh', `cd '/${folder}/somewhere'`)).toHaveLength(1);
    expect(machineViolations('x.md', `first\n/${folder}/a`)).toEqual(['x.md:2: names a place of one machine']);
    expect(machineViolations('x.md', `../${folder}/a and https://example.com/${folder}/a`)).toEqual([]);
  });

  it('finds addresses in a lock file', () => {
    const line = `"${'resolved'}": "https://example.com/a.tgz"`;
    expect(machineViolations('package-lock.json', line)).toHaveLength(1);
  });
});

describe('mergeViolations()', () => {
  it('finds each kind of mark, at the start of a line alone', () => {
    const marks = ['<'.repeat(7), '='.repeat(7), '>'.repeat(7)];
    const source = `${marks[0]} HEAD\none\n${marks[1]}\nother\n${marks[2]} branch`;
    expect(mergeViolations('a.md', source)).toHaveLength(3);
    expect(mergeViolations('a.md', `Title\n${'='.repeat(8)}\n a ${marks[0]} b`)).toEqual([]);
  });
});

describe('linkViolations()', () => {
  const exists = (path: string) => ['docs/a.md', 'README.md', 'docs'].includes(path);
  it.each(['[gone](gone.md)', '[gone](../docs/gone.md#part)', '![gone](gone.png "title")', '[gone]: ./gone.md', '[gone](/docs/gone.md)'])(
    'finds %s',
    (source) => {
      expect(linkViolations('docs/x.md', source, exists)).toHaveLength(1);
    },
  );

  it.each([
    '[a](a.md)',
    '[a](../README.md#part)',
    '[a](#part)',
    '[a](https://example.com/gone.md)',
    '[a](mailto:a@example.com)',
    '[a](/docs)',
    '```\n[gone](gone.md)\n```',
    '`[gone](gone.md)`',
  ])('accepts %j', (source) => {
    expect(linkViolations('docs/x.md', source, exists)).toEqual([]);
  });
});

describe('pathViolations()', () => {
  const exists = (path: string) => ['cli', 'cli/', 'cli/main.ts'].includes(path);
  const found = (source: string) => pathViolations('docs/x.md', source, exists, new Set(['main.ts']));

  it.each(['`cli/gone.ts`', '`cli/gone/`', '`gone.ts`', 'see `cli/main.ts` and `gone.mjs`'])('finds %s', (source) => {
    expect(found(source)).toHaveLength(1);
  });

  it.each(['`cli/main.ts`', '`cli/`', '`main.ts`', '`release/`', '`cli/.made/x.ts`', '`cli/<name>.ts`'])('accepts %s', (source) => {
    expect(found(source)).toEqual([]);
  });
});

describe('nameViolations()', () => {
  const found = (source: string) => nameViolations('docs/x.md', source, new Set(['isThere', 'theClass']));

  it.each(['`isGone`', '`isThere(wasRenamed)`', '`the.oldField`'])('finds %s', (source) => {
    expect(found(source)).toHaveLength(1);
  });

  it.each(['`isThere`', '`theClass.isThere`', 'isGone', '`theField...`', '`plain words`', '```\n`isGone`\n```'])('accepts %j', (source) => {
    expect(found(source)).toEqual([]);
  });
});

describe('anchorViolations()', () => {
  const pages: Readonly<Record<string, string>> = {
    'docs/a.md': '# A page\n\n### φ integrated [out](b.md): `x_y`\n\n<a id="old-name"></a>\n\n```\n# no heading\n```',
    'docs/b.md': '',
  };
  const textOf = (path: string) => pages[path];

  it.each(['[gone](a.md#gone)', '[gone](../docs/a.md#A-page)', '[code](a.md#no-heading)', '[here](#there)'])('finds %s', (source) => {
    expect(anchorViolations('docs/b.md', source, textOf)).toHaveLength(1);
  });

  it.each(['[a](a.md#a-page)', '[φ](a.md#φ-integrated-out-x_y)', '[old](a.md#old-name)', '[web](https://a.org/a.md#b)', '`[a](a.md#b)`'])(
    'accepts %s',
    (source) => {
      expect(anchorViolations('docs/b.md', source, textOf)).toEqual([]);
    },
  );
});

describe('phraseViolations()', () => {
  it.each([
    'A user is told of it.',
    'Classes that are told apart.',
    'It is taken for granted.',
    'what 000 tells',
    "004's radius",
    '(001, eq. 5)',
  ])('finds %s', (source) => {
    expect(phraseViolations('docs/x.md', source).length).toBeGreaterThan(0);
  });

  it.each([
    'The report shows it.',
    '1,000 records at 0.001',
    '2,001 and 003,4',
    '`it is told`',
    '    it is told',
    '```\nis told\n```',
    '[a](told-of-001.md)',
  ])('accepts %s', (source) => {
    expect(phraseViolations('docs/x.md', source)).toEqual([]);
  });
});

describe('commentViolations()', () => {
  it.each(['/** As 003 has it. */', '// (000 eq. 4)', "const a = 'b'; // 004's radius", '/**\n * Of 001, Table 2.\n */'])(
    'finds %s',
    (source) => {
      expect(commentViolations('shared/x.ts', source)).toHaveLength(1);
    },
  );

  it.each(["const a = ['000', '001'];", "// the code '001'", '/* 1,001 of 0.001 */', "'// 000 of it'", '"https://a.org/001"'])(
    'accepts %s',
    (source) => {
      expect(commentViolations('shared/x.ts', source)).toEqual([]);
    },
  );
});

describe('stringViolations()', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in a program that is checked
  it.each(["say('what the release tells of it')", 'say(`it ${is} told of`)', 'say("by 003 alone")', "say('what he weighs up')"])(
    'finds %s',
    (source) => {
      expect(stringViolations('cli/x.ts', source).length).toBeGreaterThan(0);
    },
  );

  it('finds words between elements', () => {
    expect(stringViolations('page/ui/x.tsx', '<p>{/* is told */}</p>')).toEqual([]);
    expect(stringViolations('page/ui/x.tsx', '<p>A user is told</p>')).toHaveLength(1);
  });

  it.each(['// what it tells of it', '/* is told */ say("so")', 'const a = isTold(of)', "import './told-of.ts'"])(
    'accepts %s',
    (source) => {
      expect(stringViolations('cli/x.ts', source)).toEqual([]);
    },
  );
});
