/** Key of the key under which run ids are formed, one for a bucket or a folder of runs: for its owner alone. */
export const PLACE_KEY = 'place-key';

/** Id of a replicate (from 1) of a calibration: a run of its own, in a folder below the calibration's. */
export const replicateRunId = (runId: string, replicate: number): string => `${runId}/replicates/${replicate}`;

/** Keys of every artifact of a run, with numbers from 1, as users see them. No other place builds a key. */
export function runKeys(runId: string) {
  const root = `runs/${runId}/`;
  return {
    root,
    run: `${root}run.json`,
    /** What of the plan anybody may know who watches the run. */
    openPlan: `${root}plan.json`,
    /** The release and its digests. */
    manifest: `${root}manifest.json`,
    /** Who signed the manifest of the release, or that nobody did. */
    signature: `${root}manifest.signature.json`,
    /** In an agency's account: which execution of the workflow carries the run out. */
    lock: `${root}lock.json`,
    /** In an agency's account: the tasks of a round (from 1) over which the workflow maps. */
    tasks: {
      root: `${root}tasks/`,
      assess: (round: number) => `${root}tasks/assess-${round}.json`,
      /** How many chains of the round under way are there. */
      progress: `${root}tasks/progress.json`,
      /** What each environment of a function, and each container task, has used. */
      allUsed: `${root}tasks/used/`,
      used: (step: string, id: string) => `${root}tasks/used/${step}/${id}.json`,
      /** The uploads that became this run, by their names. */
      uploads: `${root}tasks/uploads/`,
      upload: (name: string) => `${root}tasks/uploads/${name}.json`,
      /** Each time that somebody fetched the approved release. */
      allFetched: `${root}tasks/fetched/`,
      fetched: (id: string) => `${root}tasks/fetched/${id}.json`,
      failures: `${root}tasks/failed/`,
      /** Why a batch failed the last time. */
      failure: (round: number, batch: number) => `${root}tasks/failed/${round}/${batch}.json`,
    },
    /** Everything that the run will do. */
    plan: `${root}confidential/plan.json`,
    table: {
      root: `${root}table/`,
      schema: `${root}table/schema.json`,
      combinations: `${root}table/combinations.npy`,
      counts: `${root}table/counts.npy`,
      /** Of runs that have some: rules x variables. */
      structuralZeros: `${root}table/structural-zeros.npy`,
      /** Of runs with a prior from files: what a file (from 1) weighs, cells x variables, and their weights. */
      prior: (file: number) => ({ codes: `${root}table/prior/${file}-codes.npy`, weights: `${root}table/prior/${file}-weights.npy` }),
      /** Of runs that have a control: people x variables. */
      control: `${root}table/control.npy`,
      /** The same where the model takes records as they are: a variable (from 1) in the order of the control. */
      controlRecords: (variable: number) => `${root}table/control/${variable}.npy`,
      /** Of an intruder who knows less: how many records of each combination he has; `knowledge` is its name. */
      known: (knowledge: string) => `${root}table/known/${knowledge}.npy`,
      /** Of runs whose datasets are partially synthetic: a variable (from 1) in the order of the records. */
      records: (variable: number) => `${root}table/records/${variable}.npy`,
    },
    /** Of a replicate: what the targets were, which candidates took their places, which records they are, and whether these were unique. */
    targets: {
      centres: `${root}targets/centres.npy`,
      truths: `${root}targets/truths.npy`,
      records: `${root}targets/records.npy`,
      unique: `${root}targets/unique.npy`,
    },
    allDraws: `${root}draws/`,
    /** A chain's draws: of `base/3`, `synthesis/1`, `stacked/2/8`, `alone/2/8`, `weak/nothing/stacked/2/8`, `weak/share-0.1/alone/3`. */
    draws: (chain: string) => `${root}draws/${chain}.npz`,
    allTrees: `${root}trees/`,
    /** Of runs that synthesize by trees: that of a synthesized variable, by its place (from 1) in the order of visits. */
    tree: (place: number) => ({
      donors: `${root}trees/${place}/donors.npy`,
      sides: `${root}trees/${place}/sides.npy`,
      /** Comes last, and says that the tree is whole. */
      nodes: `${root}trees/${place}/nodes.npy`,
    }),
    synthesis: `${root}synthesis/`,
    /** A synthetic dataset as the pipeline reads it; `source` comes last and says that it is whole. */
    dataset: (dataset: number) => ({
      combinations: `${root}synthesis/${dataset}/combinations.npy`,
      counts: `${root}synthesis/${dataset}/counts.npy`,
      /** Of a partially synthetic one, in place of combinations and counts: a synthesized variable (from 1). */
      records: (variable: number) => `${root}synthesis/${dataset}/records/${variable}.npy`,
      source: `${root}synthesis/${dataset}/source.json`,
    }),
    /** Of a chain for which phi is integrated out: classes of the table's combinations, combinations x draws. */
    classes: (chain: string) => `${root}draws/${chain}-classes.npy`,
    /** Log-likelihood of every dataset under the draws of one base chain: datasets x draws. */
    logWeights: (chain: number) => `${root}draws/base/${chain}-dataset-log-likelihood.npy`,
    release: {
      root: `${root}release/`,
      dataset: (dataset: number) => `${root}release/synthetic-${dataset}.csv`,
      /** Of `mask`. */
      masked: (file: number) => `${root}release/masked-${file}.csv`,
      /** That somebody has approved the release, or withdrawn that. */
      approval: `${root}release/APPROVED.json`,
    },
    parts: `${root}parts/`,
    rounds: `${root}rounds/`,
    /** What a round of chains came to, and the chains of the next. */
    round: (round: number) => `${root}rounds/${round}.json`,
    /** The result of one batch in one round; `columns` comes last and says that it is whole. */
    part: (round: number, batch: number) => {
      const folder = `${root}parts/${round}/${batch}/`;
      return {
        halfRanks: `${folder}half-ranks.npy`,
        halfProbabilities: `${folder}half-probabilities.npy`,
        halfInformationBits: `${folder}half-information-bits.npy`,
        halfLosses: `${folder}half-losses.npy`,
        recordSums: `${folder}record-sums.npy`,
        /** Of an intruder who knows less, where there are several datasets: the same sums of each, and of the largest. */
        datasetSums: `${folder}dataset-sums.npy`,
        /** Of candidates that are listed one by one: rows x value sets, sums over records, and sums of squares. */
        values: `${folder}values.npy`,
        valueSums: `${folder}value-sums.npy`,
        valueSquares: `${folder}value-squares.npy`,
        /** Of the same: rows x the gain of each in some evaluations. */
        valueGains: `${folder}value-gains.npy`,
        /** Intervals and medians of continuous variables (rows x variables x 6), where there are some. */
        intervals: `${folder}intervals.npy`,
        /** Probabilities of their masses and cells (rows x 2 x candidates), before the release and after it. */
        densities: `${folder}densities.npy`,
        /** Of candidates that are listed one by one: the likeliest of each row, with their probabilities. */
        likeliest: `${folder}likeliest.npy`,
        /** Where membership is asked for: likelihood ratios of rows, and of people who are not in the table, in some evaluations. */
        members: `${folder}members.npy`,
        others: `${folder}others.npy`,
        /** Of trees: rows x what is known of each beside its risk. */
        beside: `${folder}beside.npy`,
        /** Of whole-table candidates alone. */
        guesses: `${folder}guesses.npy`,
        marginals: `${folder}marginals.npy`,
        columns: `${folder}columns.npy`,
      };
    },
    /** Of a replicate: log-likelihoods of the candidates of one batch of targets. */
    scores: (batch: number) => `${root}scores/${batch}.npy`,
    confidential: {
      root: `${root}confidential/`,
      /** Opens every random stream of the run: whoever has it can repeat the release for any guess at a record. */
      releaseKey: `${root}confidential/release-key`,
      /** Of a folder that was named for this run alone. */
      placeKey: `${root}confidential/${PLACE_KEY}`,
      /** Digests of all artifacts. */
      manifest: `${root}confidential/manifest.json`,
      /** Who signed it, or that nobody did: whoever has the signature can tell whether a guess at the manifest is right. */
      signature: `${root}confidential/manifest.signature.json`,
      /** What was decided of the release, decision by decision (from 1), and by which verdict. */
      decisions: `${root}confidential/decisions/`,
      decision: (decision: number) => `${root}confidential/decisions/${decision}.json`,
      /** What the first round of a run in AWS was expected to take. */
      prediction: `${root}confidential/plan-predicted.json`,
      /** A table of results, by the name of its files. */
      table: (file: string) => ({ csv: `${root}confidential/${file}.csv`, parquet: `${root}confidential/${file}.parquet` }),
      /** Of the command `identify` alone: a run has identification risk in its summary and its report. */
      identification: `${root}confidential/identification.json`,
      identificationReport: `${root}confidential/identification.html`,
      /** What was found of utility: of a run it is in its summary too. */
      utility: `${root}confidential/utility.json`,
      /** What a run measured of it, with a checksum, from which its files are written when the results are put together. */
      measuredUtility: `${root}confidential/utility-measured.json`,
      /** Of the command `utility` alone: the report of a run has its utility. */
      utilityReport: `${root}confidential/utility.html`,
      /** Of the command `attack`: the document and its page. */
      attack: `${root}confidential/attack.json`,
      attackReport: `${root}confidential/attack.html`,
      /** What the command `remedies` found, where it was put beside the run for its report. */
      remedies: `${root}confidential/remedies.json`,
      summary: `${root}confidential/summary.json`,
      report: `${root}confidential/report.html`,
      /** What of the run anybody may know, until a person takes it from here. */
      publicSummary: `${root}confidential/public.json`,
      publicPage: `${root}confidential/public.html`,
      /** Of `report --evidence`: what an approval rests on, as a page and as a document to fill in. */
      evidencePage: `${root}confidential/evidence.html`,
      evidenceDocument: `${root}confidential/evidence.docx`,
      /** Candidate tables of single combinations, which are made when a person asks for one. */
      records: `${root}confidential/records/`,
      record: (combination: number) => `${root}confidential/records/${combination}.csv`,
      /** Of `inherent`; `inherent` comes last and says that the others are there. */
      inherent: `${root}confidential/inherent.json`,
      inherentReport: `${root}confidential/inherent.html`,
      /** Of `mask`: which record of the table each row is; `masking` comes last and says that the others are there. */
      maskedRows: `${root}confidential/masked-rows.csv`,
      masking: `${root}confidential/masking.json`,
      maskingReport: `${root}confidential/masking.html`,
      /** Of `reidentify`; `linkage` comes last and says that the others are there. */
      linkage: `${root}confidential/linkage.json`,
      linkageReport: `${root}confidential/linkage.html`,
      calibration: `${root}confidential/calibration.json`,
      calibrationReport: `${root}confidential/calibration.html`,
    },
    chains: `${root}diagnostics/chains.json`,
    /** Of `dp evaluate` alone, which is of no table: the simulations, their page, and the series of a figure (from 1). */
    simulation: {
      document: `${root}evaluation.json`,
      page: `${root}evaluation.html`,
      figure: (figure: number) => `${root}figure-${figure}.csv`,
    },
  };
}

const RUN_AND_FOLDER = /^runs\/([^/]+)\/([^/]+)\//;

/** Folders of a run that its own steps alone read: of no use once it has finished. */
const INTERMEDIATE_FOLDERS = new Set(['draws', 'parts', 'synthesis', 'trees']);

/** A tag of an object in a bucket. */
export type ObjectTag = { readonly key: string; readonly value: string };

/** The tag of what can be deleted when a run has finished: the bucket lets what carries it expire. */
export const INTERMEDIATE_TAG: ObjectTag = { key: 'lifecycle', value: 'intermediate' };

/** The tag of the table of a run: it expires as well, when nothing needs it any longer. */
export const TABLE_TAG: ObjectTag = { key: 'lifecycle', value: 'table' };

/** The tag of a file whose release somebody has approved: without it, readers of releases are refused. */
export const APPROVED_TAG: ObjectTag = { key: 'approval', value: 'approved' };

/** The tag that an object is put with, or null. */
export function tagOf(key: string): ObjectTag | null {
  const folder = RUN_AND_FOLDER.exec(key)?.[2] ?? '';
  if (INTERMEDIATE_FOLDERS.has(folder)) return INTERMEDIATE_TAG;
  return folder === 'table' ? TABLE_TAG : null;
}

/** True for the release key of a run, or of a replicate. */
export const isReleaseKey = (key: string): boolean => key.endsWith('/confidential/release-key');

/** True for what a run has come to: its release, its results and the manifests; not for what a person asked for or decided. */
export function isResult(key: string): boolean {
  return /^runs\/[^/]+\/(release\/(?!APPROVED\.)|diagnostics\/|manifest\.|confidential\/(?!plan(-predicted)?\.json$)[^/]+\.\w+$)/.test(key);
}

/** Folders of a run that every batch reads, and in which nothing changes as long as the run has the same release key. */
const INPUT_FOLDERS = new Set(['table', 'synthesis', 'draws']);

/** The run whose table, datasets or draws an object is part of, or null. */
export function runOfInputs(key: string): string | null {
  const [, runId, folder = ''] = RUN_AND_FOLDER.exec(key) ?? [];
  return INPUT_FOLDERS.has(folder) ? runId! : null;
}

/** The run whose release key an object is, or null: a run that was purged and made anew has another key, and other draws. */
export const runOfReleaseKey = (key: string): string | null => (isReleaseKey(key) ? RUN_AND_FOLDER.exec(key)![1]! : null);

/** A folder of a key of a store: `assertStoreKey` takes no other. */
const FOLDER = String.raw`[^/.\\\u0000-\u001f\u007f][^/\\\u0000-\u001f\u007f]*/`;
const UPLOADED = new RegExp(`^(incoming/${FOLDER})table\\.(csv|parquet)$`);
const UPLOADED_BELOW = new RegExp(`^(incoming/(?:${FOLDER})+)table\\.(csv|parquet)$`);

/** Keys of an upload, from that of its table `incoming/<name>/table.csv` or `.parquet`; null for any other key. */
export function uploadKeys(table: string) {
  const folder = UPLOADED.exec(table)?.[1];
  if (folder === undefined) return null;
  return {
    table,
    config: `${folder}run.yaml`,
    /** Of an earlier run, to repeat it. */
    releaseKey: `${folder}release-key`,
    /** What the run may cost, if whoever uploads says so. */
    budget: `${folder}budget.json`,
    /** What became of the upload. */
    outcome: outcomeKey(table)!,
  };
}

/**
 * Where it is noted what became of a table that was put below `incoming/`: beside it, also where no upload may be, so that whoever
 * put it there finds why nothing came of it. Null for any other key.
 */
export function outcomeKey(table: string): string | null {
  const folder = UPLOADED_BELOW.exec(table)?.[1];
  return folder === undefined ? null : `${folder}outcome.json`;
}

/** Keys of an upload: its table, what is uploaded before the table, and what became of it. */
export type UploadKeys = Readonly<NonNullable<ReturnType<typeof uploadKeys>>>;

/** Name of an upload: that of its folder. */
export const uploadName = ({ config }: UploadKeys): string => config.split('/')[1]!;

/** Folder of an upload, by its name, with a slash at its end. */
export const uploadFolder = (name: string): string => `incoming/${name}/`;

/** Keys of the files beside an upload that its config names, numbered from 1 in its order, so that no key tells a path. */
export function uploadFileKeys({ config }: UploadKeys) {
  const folder = config.slice(0, config.lastIndexOf('/') + 1);
  return {
    structuralZeros: `${folder}structural-zeros.csv`,
    /** One scenario's files after the other's. */
    prior: (file: number | '*') => `${folder}prior-${file}.csv`,
    control: `${folder}control.csv`,
    /** Of each scenario whose intruder has the records of a file. */
    known: (file: number | '*') => `${folder}known-${file}.csv`,
  };
}

/** Whether a key is of what is uploaded beside a table and read with it, by the keys of that upload. */
export function isBesideUpload(upload: UploadKeys, key: string): boolean {
  const { control, known, prior, structuralZeros } = uploadFileKeys(upload);
  const numbered = [known, prior].some((name) => {
    const [before, after] = name('*').split('*') as [string, string];
    return key.startsWith(before) && key.endsWith(after) && /^\d+$/.test(key.slice(before.length, -after.length));
  });
  return numbered || [upload.config, upload.releaseKey, upload.budget, structuralZeros, control].includes(key);
}
