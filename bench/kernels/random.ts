import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { CipherStream } from '../../shared/random/cipher-stream.ts';
import type { RandomSource } from '../../shared/random/random-source.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { KeyedStreams, seededStreams } from '../../shared/random/streams.ts';
import type { BenchTable } from '../tables/bench-table.ts';
import { compared, type Measurement, milliseconds } from './measure.ts';

const NUMBERS = 1_000_000;
const STREAMS = 1000;
const DATASETS = 5;
const SETTINGS = { classes: 40, concentration: { shape: 0.25, rate: 0.25 } };

const key = () => crypto.getRandomValues(new Uint8Array(32));

/** What secret random numbers cost beside those that a seed would give: opening streams, numbers, and datasets. */
export function measureRandom({ combinations, sizes, records }: BenchTable): Measurement[] {
  const cipher = new CipherStream(key());
  const seeded = new RandomStream(1, 'bench/random');
  const keyed = new KeyedStreams(key(), 1);
  const model = createDpmpm(combinations, sizes, SETTINGS);
  const { weights, probabilities } = model.step(model.init(seeded), seeded, 1000);
  let opened = 0;
  const open = (name: (stream: string) => unknown) =>
    milliseconds(1, () => {
      for (let i = 0; i < STREAMS; i++) name(`stream/${opened++}`);
    }) / STREAMS;
  const draw = (random: RandomSource) =>
    milliseconds(10, () => {
      for (let i = 0; i < NUMBERS; i++) random.uniform();
    });
  const release = (random: RandomSource) =>
    milliseconds(4, () => {
      for (let l = 0; l < DATASETS; l++) synthesizeRecords({ weights, probabilities }, sizes, records, random);
    });
  const opening = open((name) => seededStreams(1).open(name));
  return [
    ...[
      compared(
        'open a stream of released values, HKDF',
        open((name) => keyed.openReleased(name)),
        'by a seed',
        opening,
      ),
      compared(
        'open another stream, HKDF',
        open((name) => keyed.open(name)),
        'by a seed',
        opening,
      ),
    ],
    compared(`${NUMBERS} uniform numbers, ChaCha20`, draw(cipher), 'xoshiro128**', draw(seeded)),
    compared(
      `draw ${DATASETS} datasets of ${records} records, ${sizes.length} variables, ChaCha20`,
      release(cipher),
      'xoshiro128**',
      release(seeded),
    ),
  ];
}
