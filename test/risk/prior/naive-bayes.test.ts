import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { naiveBayes } from '../../../shared/risk/prior/naive-bayes.ts';

const asked = (rows: readonly (readonly number[])[], counts: readonly number[] = rows.map(() => 1)) => ({
  counts,
  codesOf: (row: number) => rows[row]!,
  isAsked: () => true,
});

describe('naiveBayes()', () => {
  it('is what counts without the record give, by hand', () => {
    // Records a: x = 0 twice, y of 0; x = 1, y of 1; x = 1, y of 0. The variable y is guessed from x.
    const rows = [
      [0, 0],
      [1, 1],
      [1, 0],
    ];
    // Of (0, 0), with 2 records: without one, n_0 = 2 (x = 0 once), n_1 = 1 (x = 0 never): 3 x 2/4 against 2 x 1/3: right.
    // Of (1, 1): n_0 = 3 (x = 1 once), n_1 = 0: 4 x 2/5 against 1 x 1/2: wrong.
    // Of (1, 0): n_0 = 2 (x = 1 never), n_1 = 1 (once): 3 x 1/4 against 2 x 2/3: wrong.
    expect(naiveBayes(asked(rows, [2, 1, 1]), [2, 2], 1, [0])).toEqual({ right: 2, asked: 4 });
  });

  it('shares ties, and guesses by the commonest other value where nothing is known', () => {
    // Each of two records leaves one of the other value: wrong. Of four, half and half, the other value is commoner: wrong.
    expect(naiveBayes(asked([[0], [1]]), [2], 0, [])).toEqual({ right: 0, asked: 2 });
    // Two of one and one of another: of the two, one is left of either, a tie; of the single one the other two are commoner.
    expect(naiveBayes(asked([[0], [1]], [2, 1]), [2], 0, [])).toEqual({ right: 1, asked: 3 });
  });

  it('leaves out what a record lacks, and what is not asked', () => {
    // 2 stands for a missing value.
    const rows = [
      [0, 0],
      [0, 0],
      [1, 1],
      [2, 0],
      [1, 2],
    ];
    // The fourth record has no x: n_0 = 2, n_1 = 1, right. The last has nothing to guess.
    const all = naiveBayes(asked(rows), [2, 2], 1, [0]);
    expect(all.asked).toBe(4);
    expect(all.right).toBe(3);
    expect(naiveBayes({ ...asked(rows), isAsked: (row) => row === 3 }, [2, 2], 1, [0])).toEqual({ right: 1, asked: 1 });
  });

  /** The slow program: for every record the table without it. */
  function plain(rows: readonly (readonly number[])[], sizes: readonly number[], variable: number, known: readonly number[]) {
    let right = 0;
    for (const [i, row] of rows.entries()) {
      if (row[variable]! >= sizes[variable]!) continue;
      const others = rows.toSpliced(i, 1).filter((one) => one[variable]! < sizes[variable]!);
      const scores = Array.from({ length: sizes[variable]! }, (_, value) => {
        const same = others.filter((one) => one[variable] === value);
        return known
          .filter((j) => row[j]! < sizes[j]!)
          .reduce((score, j) => {
            const present = same.filter((one) => one[j]! < sizes[j]!);
            return (score * (present.filter((one) => one[j] === row[j]).length + 1)) / (present.length + sizes[j]!);
          }, same.length + 1);
      });
      const best = Math.max(...scores);
      const tie = scores.filter((score) => Math.abs(score / best - 1) < 1e-9).length;
      if (Math.abs(scores[row[variable]!]! / best - 1) < 1e-9) right += 1 / tie;
    }
    return right;
  }

  it('is what a program finds that leaves out every record, with missing values and counts', () => {
    const sizes = [2, 3, 4];
    const random = new RandomStream(3, 'naive-bayes');
    for (let table = 0; table < 30; table++) {
      const distinct = Array.from({ length: 12 }, () => sizes.map((size) => Math.floor((size + 0.4) * random.uniform())));
      const counts = distinct.map(() => 1 + Math.floor(3 * random.uniform()));
      const records = distinct.flatMap((row, i) => Array.from({ length: counts[i]! }, () => row));
      for (const variable of sizes.keys()) {
        const known = [...sizes.keys()].filter((one) => one !== variable);
        expect(naiveBayes(asked(distinct, counts), sizes, variable, known).right).toBeCloseTo(plain(records, sizes, variable, known), 9);
      }
    }
  });

  it('is what another program finds', () => {
    // Python 3, from counts alone:
    //   rows = [((i * i + i // 3) % 3, (i * 7 // 5) % 4, (i // 2 + i * i // 7) % 2) for i in range(40)]; d = (3, 4, 2)
    //   def right(k):
    //     total = 0
    //     for i, r in enumerate(rows):
    //       o = rows[:i] + rows[i + 1:]; s = []
    //       for v in range(d[k]):
    //         same = [x for x in o if x[k] == v]; p = Fraction(len(same) + 1)
    //         for j in range(3):
    //           if j != k: p *= Fraction(sum(x[j] == r[j] for x in same) + 1, len(same) + d[j])
    //         s.append(p)
    //       if s[r[k]] == max(s): total += Fraction(1, s.count(max(s)))
    //     return total
    const rows = Array.from({ length: 40 }, (_, i) => [
      (i * i + Math.floor(i / 3)) % 3,
      Math.floor((i * 7) / 5) % 4,
      (Math.floor(i / 2) + Math.floor((i * i) / 7)) % 2,
    ]);
    const sizes = [3, 4, 2];
    const right = sizes.map(
      (_, k) =>
        naiveBayes(
          asked(rows),
          sizes,
          k,
          [0, 1, 2].filter((j) => j !== k),
        ).right,
    );
    expect(right).toEqual([8, 0, 17]);
  });
});
