type Descriptions = Readonly<Record<string, string>>;

/** A table of results: which files have it, what a row is, and its columns in their order with their meaning. */
export interface DescribedTable {
  readonly file: string;
  readonly row: string;
  readonly columns: Descriptions;
}

const RECORD_OR_COMBINATION = 'Number from 1; rows are records where variables are kept.';

/** Every table of results, CSV and mostly Parquet. */
export const TABLES: readonly DescribedTable[] = [
  {
    file: 'attribute-risk',
    row: 'a combination in order of first appearance, or a record where variables are kept; scenarios one after the other',
    columns: {
      record: 'Where variables are kept: number of the record, from 1.',
      combination: 'Number of the combination, from 1.',
      count: 'Records that have it and share its risk; 1 where rows are records.',
      '(variables)': 'The table’s own variables.',
      candidates: 'Number of candidates C.',
      rank: 'Rank of the truth, 1 = the first guess; ties at their mean.',
      rank_low: 'Lower end of its 90 % Monte Carlo interval.',
      rank_high: 'Upper end.',
      prior_probability: 'Prior probability of the truth.',
      probability: 'Posterior probability of the truth.',
      probability_se: 'Its Monte Carlo standard error.',
      ratio_to_uniform: '`probability` times C. 1: as a blind guess.',
      information_bits: 'Divergence of the posterior from the prior.',
      uncertainty_resolved:
        'Gain at the true values, each variable by itself, by what the intruder lacked of them. 1: certain; 0: nothing learnt; empty where nothing was lacked, or cells are not listed.',
      uncertainty_resolved_se: 'Its standard error, of simulation and release; empty for one dataset.',
      prior_odds_to_first:
        'How much more probable than the first guess the truth would have to be beforehand to be ranked first.',
      bayes_factor: 'Of the truth against the others; empty where no other has a prior probability.',
      bayes_factor_se: 'Its standard error.',
      privacy_loss:
        'Largest difference of log-likelihood of a candidate from the truth, nats; empty where not listed.',
      privacy_loss_se: 'Its standard error.',
      first_guess_variable: 'Where the first guess differs from the truth; empty where it does not.',
      first_guess_value: 'The value there; `NA` for a missing one.',
      first_guess_probability: 'Probability of the first guess.',
      distinguishable: '`true` where the rank interval is narrower than C / 2.',
      effective_draws: 'Effective number of draws; empty where nothing is simulated.',
      pareto_k: 'k of the heaviest tail; empty where none is fitted.',
      heavy_tail: '`true` where it is above the threshold.',
      scenario: 'Name of the scenario.',
      probability_fixed: 'Of trees: probability of the truth with their divisions as they are.',
      proven: 'Of trees: `true` where the release proves a value of the record.',
    },
  },
  {
    file: 'variable-risk',
    row: 'a variable of a combination, or of a record where variables are kept',
    columns: {
      'record or combination': RECORD_OR_COMBINATION,
      count: 'Records of the combination.',
      variable: 'The variable; several together are joined by `; `.',
      categories: 'Values that are weighed up.',
      probability_before: 'Probability of the true value without the release.',
      probability_after: 'The same with it.',
      probability_se: 'Monte Carlo standard error of that.',
      rank_before: 'Rank of the true value without the release; ties at their mean.',
      rank_after: 'The same with it.',
      gain_bits: 'log2 of after by before: positive where the release points to the truth.',
      uncertainty_resolved:
        'The gain by -log2 of `probability_before`. 1: certain; 0: nothing learnt; empty where nothing was lacked.',
      uncertainty_resolved_se: 'Its standard error, of simulation and release; empty for one dataset.',
      first_guess_before: 'The likeliest value without the release; the truth if it ties.',
      first_guess_after: 'The same with it.',
      scenario: 'Name of the scenario.',
      probability_fixed: 'Of trees: after, with their divisions as they are.',
      proven: 'Of trees: `true` where no other value could have led to the release.',
    },
  },
  {
    file: 'identification-risk',
    row: 'a scenario, record and dataset',
    columns: {
      scenario: 'Its name, or what is known in it.',
      record: 'Number of the record, from 1.',
      dataset: 'Number of the dataset, from 1.',
      matches: 'Rows that match, c.',
      own_record_matches: 'Whether its own row is one of them, T: 1 or 0.',
      risk: 'T / c.',
    },
  },
  {
    file: 'utility',
    row: 'a figure',
    columns: {
      measure: '`table`, `propensity`, `regression`, `prediction`, `patterns` or `association`.',
      item: 'What it is of: variables of a table, a kind of score, a formula with its coefficient.',
      dataset: 'Number from 1; 0 for the table, or for all datasets.',
      figure: 'Its name.',
      value: 'Empty where it is undefined.',
    },
  },
  {
    file: 'guesses',
    row: 'one of the ten most probable cells of a combination (`all-cells`, `search`)',
    columns: {
      combination: 'Number from 1.',
      rank: 'From 1.',
      '(variables)': 'The category of each variable.',
      probability: 'Posterior probability of the cell.',
    },
  },
  {
    file: 'marginals',
    row: 'a category, or value of a set of variables, of a combination (`all-cells`, `search`)',
    columns: {
      combination: 'Number from 1.',
      variable: 'The variable, or set of them.',
      category: 'The category.',
      probability: 'Posterior probability that the record has it.',
    },
  },
  {
    file: 'search',
    row: 'a combination (`search`)',
    columns: {
      combination: 'Number from 1.',
      cells_found: 'Cells that were found.',
      truth_found: 'Whether its own is one of them.',
      missed_mass: 'Share of the posterior outside of them.',
      missed_mass_se: 'Its standard error.',
      effective_visits: 'Effective visits of the chains.',
    },
  },
  {
    file: 'inherent',
    row: 'a bound, resample and scenario',
    columns: {
      bound: '`minimum` or `maximum`.',
      resample: 'Number from 1.',
      scenario: 'What the intruder knows.',
      exact_disclosures:
        'Records all of whose synthesized values are disclosed; the same for every scenario.',
      expected_match_risk: 'Sum over records of T / c.',
      true_match_rate: 'Share of records whose own row is the only match.',
      false_match_rate: 'Share of false ones among unique matches; empty where undefined.',
      unique_matches: 'Records that one row alone matches.',
    },
  },
  {
    file: 'attack',
    row: 'a figure of `attack`',
    columns: {
      measure: 'Whose measure: as in `attack.json`.',
      item: 'What it is of.',
      dataset: 'Number from 1; 0 for the table, or for all datasets.',
      figure: 'Its name.',
      value: 'Empty where it is undefined.',
    },
  },
  {
    file: 'attack-records',
    row: 'a record and target',
    columns: {
      record: 'Number of the record, from 1.',
      target: 'What is sought.',
      key_count: 'Records that share its keys.',
      individual_risk: 'Its individual risk.',
      suda_score: 'SUDA score of its keys.',
      dis_suda_score: 'The same scaled by DIS.',
      replicated_unique: 'Share of datasets in which its unique keys are unique too.',
      cap: 'Share of its target among rows with its keys, mean over datasets.',
      disclosed: 'Share of datasets whose rows with its keys all have its target.',
      inferred: 'Share of datasets whose nearest row by the keys has its target.',
      distance_to_closest: 'Distance to the closest row, mean over datasets.',
    },
  },
  {
    file: 'linkage',
    row: 'a row of the masked file',
    columns: {
      row: 'Number from 1.',
      best_link: 'Record of its best link.',
      score: 'Score of the link.',
      match_probability: 'Probability that it is right.',
      equal_links: 'Links of the same score.',
      candidates: 'Records that could be linked.',
      own_record: 'Its own record.',
      own_rank: 'Place of that among the candidates.',
      reidentified: '`true` where the one best link is to it.',
    },
  },
  {
    file: 'linkage-thresholds',
    row: 'a least probability of links',
    columns: {
      probability: 'The probability.',
      links: 'Unique links that have it.',
      correct: 'Right ones among them.',
      precision: 'Their share.',
      recall: 'Right ones of the rows whose record the intruder has.',
      true_positive_rate: 'Right ones of all that are right.',
      false_positive_rate: 'Wrong ones of all that are wrong.',
    },
  },
  {
    file: 'comparison',
    row: 'a run and measure',
    columns: {
      run: 'Name of the run.',
      run_id: 'Its id.',
      of: '`risk` or `utility`.',
      measure: 'Path in `summary.json`.',
      value: 'Its value.',
      se: 'Its standard error.',
      covers: 'What that holds.',
      least: 'Smallest over datasets.',
      lower_quartile: '25 % quantile.',
      median: 'Median.',
      upper_quartile: '75 % quantile.',
      most: 'Largest.',
    },
  },
  {
    file: 'differences',
    row: 'a measure and pair of runs',
    columns: {
      measure: 'Path in `summary.json`.',
      a: 'One run.',
      b: 'The other.',
      difference: 'b less a.',
      se: 'Its standard error.',
      covers: 'What that holds.',
    },
  },
  {
    file: 'remedies',
    row: 'a remedy, the run itself first; columns that end in `_se` are standard errors',
    columns: {
      remedy: 'Name of its folder; empty for the run itself.',
      setting: 'What is different.',
      datasets: 'Datasets.',
      chains: 'Base chains.',
      paired_chains: 'Pairs of chains of each dataset.',
      combinations: 'Combinations of the fitted table.',
      candidates_max: 'Candidates of a record at most.',
      truth_ranked_first_share: 'Share of records whose truth is the first guess.',
      probability_mean: 'Mean probability of the truth.',
      probability_max: 'Largest.',
      information_bits_mean: 'Mean shift of belief.',
      information_bits_max: 'Largest.',
      gain_bits_mean: 'Mean gain at the truth.',
      gain_bits_change: 'The same less that of the run itself.',
      named_records: 'Records of the named combinations.',
      named_rank_mean: 'Their mean rank.',
      named_probability_mean: 'Their mean probability of the truth.',
      named_probability_max: 'Their largest.',
      named_information_bits_mean: 'Their mean shift of belief.',
      named_gain_bits_mean: 'Their mean gain at the truth.',
    },
  },
];

/**
 * What a row of a file of results is, and what its columns are, by their names.
 *
 * @param file its name without extension
 * @param names of its columns, those of the table's own variables among them
 * @throws RangeError for a file, or a column, that is described nowhere
 */
export function describedColumns(
  file: string,
  names: readonly string[],
): { readonly row: string; readonly columns: Readonly<Record<string, string>> } {
  const table = TABLES.find((described) => described.file === file);
  if (table === undefined) throw new RangeError(`no file of results is called ${file}`);
  const meanings = new Map(
    Object.entries(table.columns).flatMap(([key, text]) => key.split(' or ').map((name) => [name, text])),
  );
  const columns = names.map((name) => {
    const text = meanings.get(name) ?? meanings.get('(variables)');
    if (text === undefined) throw new RangeError(`${file}: no meaning of the column ${name} is written down`);
    return [name, text];
  });
  return { row: table.row, columns: Object.fromEntries(columns) };
}
