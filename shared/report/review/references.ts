import { factsOf } from '../../contracts/models/models.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';

/** A source as docs/reference/references.md cites it. */
export interface Reference {
  readonly key: string;
  readonly text: string;
}

const REFERENCES = {
  'Hu et al. 2014':
    'Hu, J., Reiter, J. P. and Wang, Q. (2014). Disclosure risk evaluation for fully synthetic categorical data. In J. Domingo-Ferrer (ed.), Privacy in Statistical Databases, PSD 2014, Lecture Notes in Computer Science 8744, 185-199. Springer.',
  'Hu & Savitsky 2018':
    'Hu, J. and Savitsky, T. D. (2018). Bayesian data synthesis and disclosure risk quantification: an application to the Consumer Expenditure Surveys. arXiv:1809.10074.',
  'McClure & Reiter 2012':
    'McClure, D. and Reiter, J. P. (2012). Differential privacy and statistical disclosure risk measures: an investigation with binary synthetic data. Transactions on Data Privacy 5(3), 535-552.',
  'Hornby & Hu 2021':
    'Hornby, R. and Hu, J. (2021). Identification risks evaluation of partially synthetic data with the IdentificationRiskCalculation R package. Transactions on Data Privacy 14.',
  'Reiter & Mitra 2009':
    'Reiter, J. P. and Mitra, R. (2009). Estimating risks of identification disclosure in partially synthetic data. The Journal of Privacy and Confidentiality 1, 99-110.',
  'Dunson & Xing 2009':
    'Dunson, D. B. and Xing, C. (2009). Nonparametric Bayes modeling of multivariate categorical data. Journal of the American Statistical Association 104(487), 1042-1051.',
  'Murray & Reiter 2016':
    'Murray, J. S. and Reiter, J. P. (2016). Multiple imputation of missing categorical and continuous values via Bayesian mixture models with local dependence. Journal of the American Statistical Association 111(516), 1466-1479.',
  'Reiter 2005':
    'Reiter, J. P. (2005). Using CART to generate partially synthetic public use microdata. Journal of Official Statistics 21(3), 441-462.',
  'Wang 2019': 'Wang, Y.-X. (2019). Per-instance differential privacy. Journal of Privacy and Confidentiality 9(1).',
  'Woo et al. 2009':
    'Woo, M.-J., Reiter, J. P., Oganian, A. and Karr, A. F. (2009). Global measures of data utility for microdata masked for disclosure limitation. Journal of Privacy and Confidentiality 1(1), 111-124.',
  'Snoke et al. 2018':
    'Snoke, J., Raab, G. M., Nowok, B., Dibben, C. and Slavkovic, A. (2018). General and specific utility measures for synthetic data. Journal of the Royal Statistical Society, Series A 181(3), 663-688.',
  'Karr et al. 2006':
    'Karr, A. F., Kohnen, C. N., Oganian, A., Reiter, J. P. and Sanil, A. P. (2006). A framework for evaluating the utility of data altered to protect confidentiality. The American Statistician 60(3), 224-232.',
};

/** All sources, for the test that holds them to docs/reference/references.md. */
export const ALL_REFERENCES: readonly Reference[] = Object.entries(REFERENCES).map(([key, text]) => ({ key, text }));

/** The sources of what a run measured. */
export function referencesOf(summary: Summary, risk: AttributeRiskSummary | null): Reference[] {
  const { model, identificationRisk, attributeDisclosures, utility } = summary;
  const keys: readonly string[] = [
    ...(risk === null ? [] : (['Hu et al. 2014', 'McClure & Reiter 2012', 'Wang 2019'] as const)),
    ...factsOf(model).references,
    ...(attributeDisclosures === null ? [] : (['Hu & Savitsky 2018'] as const)),
    ...(identificationRisk.some(({ applies }) => applies) ? (['Hornby & Hu 2021', 'Reiter & Mitra 2009'] as const) : []),
    ...(utility === null ? [] : (['Woo et al. 2009', 'Snoke et al. 2018', 'Karr et al. 2006'] as const)),
  ];
  return ALL_REFERENCES.filter(({ key }) => keys.includes(key));
}
