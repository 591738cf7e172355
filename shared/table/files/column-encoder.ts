import { bandLabels, bandOf } from '../../contracts/config/bands.ts';
import { roundedTo } from '../../contracts/continuous.ts';
import { InvalidTableError } from '../../contracts/errors.ts';
import { inCommand, inConfig, inList } from '../../contracts/in-command.ts';
import type { CategoricalVariable } from '../../contracts/schema.ts';
import { isMissingText } from '../category-text.ts';
import { type ColumnTraits, columnTraits, hasLeadingZero, plainSpelling, suspectedMissingCodes } from '../columns/column-traits.ts';
import type { EncodedColumn } from '../columns/judge-columns.ts';
import { MAX_CATEGORIES } from '../table.ts';
import type { ColumnRule } from './column-rule.ts';
import { decimalNumber, inCategoryOrder, type NumberReader } from './decimal-number.ts';

/**
 * Numbers with more distinct values than this are read as continuous: code lists of surveys and ages in bands have fewer, ages
 * in single years and amounts more. A rule of thumb, so every use of it is stated in a notice; the config overrides it.
 */
export const MAX_DISTINCT_CODES = 50;

/** Numbers of which sums of squares over any table are finite. */
const MOST = 1e100;

/** Codes that are not final yet, in bytes while these suffice. */
type Codes = Uint8Array | Uint16Array;

/** What marks a missing value among codes that are not final yet: the largest number, which no category has. */
const BYTE_MISSING = 0xff;
const missingMark = (codes: Codes) => (codes instanceof Uint8Array ? BYTE_MISSING : MAX_CATEGORIES);

/** How the cells of a file are to be understood, besides the rule of their column. */
interface CellSettings {
  /** Texts, or numbers, that stand for missing values. */
  readonly missingCodes?: readonly string[] | undefined;
  readonly numberOf?: NumberReader | undefined;
  /** The lowest and the highest number that a value can be. */
  readonly range?: readonly [number, number] | undefined;
  /** Decimals at most. */
  readonly decimals?: number | undefined;
}

/**
 * Encodes one column, cell by cell, so that no cell outlives its row. Memory: 1 or 2 bytes a record while it can
 * be categorical, 8 once it is known to be continuous, and one string for each category.
 */
export class ColumnEncoder {
  /** Missing values so far. */
  missing = 0;
  /** Row of the first missing value, from 1; 0 when there is none. */
  firstMissingRow = 0;
  /** Cells so far. */
  records = 0;

  readonly #codeOfCategory = new Map<string, number>();
  #codes: Codes = new Uint8Array(0);
  #values: Float64Array | undefined;
  #allNumbers = true;
  /** Kept when categories give way to numbers. */
  #traits: ColumnTraits | undefined;
  readonly #rule: ColumnRule;
  readonly #numberOf: NumberReader;
  readonly #missingTexts: ReadonlySet<string>;
  readonly #missingNumbers: ReadonlySet<number>;
  readonly #range: CellSettings['range'];
  readonly #decimals: CellSettings['decimals'];

  /** @param number of the column in its file, from 1: what messages call it until its name is known to be none of its values */
  constructor(
    readonly name: string,
    readonly number: number,
    rule: ColumnRule,
    { missingCodes = [], numberOf = decimalNumber, range, decimals }: CellSettings = {},
  ) {
    this.#rule = rule;
    this.#numberOf = numberOf;
    this.#range = range;
    this.#decimals = decimals;
    this.#missingTexts = new Set(missingCodes);
    this.#missingNumbers = new Set(missingCodes.filter((code) => isNumber(code, decimalNumber)).map(decimalNumber));
    if (rule.type === 'continuous') this.#values = new Float64Array(0);
    if (rule.type === 'declared' || rule.type === 'banded') {
      for (const [code, text] of rule.categories.entries()) this.#codeOfCategory.set(text, code);
    }
    if (rule.type === 'schema') {
      for (const [code, text] of rule.variable.categories.entries()) {
        if (code !== rule.variable.missingCode) this.#codeOfCategory.set(text, code);
      }
      for (const [name, members] of Object.entries(rule.source?.merge ?? {})) {
        for (const member of members) this.#codeOfCategory.set(member, this.#codeOfCategory.get(name)!);
      }
    }
  }

  /** Appends the next record's cell. Throws InvalidTableError, with row and column, for one that its rule does not allow. */
  add(text: string): void {
    const record = this.records++;
    if (isMissingText(text) || this.#isMissingCode(text)) {
      if (this.missing++ === 0) this.firstMissingRow = this.records;
      if (this.#values === undefined) this.#putMissing(record);
      else this.#putValue(record, Number.NaN);
      return;
    }
    if (this.#range !== undefined) this.#checkRange(text, this.#range);
    if (this.#decimals !== undefined) this.#checkDecimals(text, this.#decimals);
    if (this.#rule.type === 'banded') {
      this.#putCode(record, this.#bandIn(text, this.#rule.breaks));
      return;
    }
    if (this.#values === undefined) {
      const code = this.#codeOfCategory.get(this.#labelOf(text)) ?? this.#newCategory(text);
      if (code !== undefined) {
        this.#putCode(record, code);
        return;
      }
    }
    this.#putValue(record, this.#numberIn(text));
  }

  /** Whether a cell is one of the codes that were declared: the same text, or the same number, as -9.0 is -9. */
  #isMissingCode(text: string): boolean {
    if (this.#missingTexts.size === 0) return false;
    if (this.#missingTexts.has(text)) return true;
    return this.#missingNumbers.has(this.#numberOf(text)) && !hasLeadingZero(text);
  }

  /** What messages call the column: by its name where the config or the confidential table has given it. */
  get #place(): string {
    return this.#rule.type === 'infer' ? `column ${this.number}` : `column \`${this.name}\``;
  }

  /**
   * Whether a cell holds the column's own name, as when the first record of a file without header was taken for the names.
   * Never in the codes of a schema, whose names are known, nor among numbers, since no name is one.
   */
  holdsOwnName(): boolean {
    if (this.#rule.type === 'schema') return false;
    if (this.missing > 0 && isMissingText(this.name)) return true;
    if (this.#rule.type === 'banded') return false;
    return [...this.#codeOfCategory].some(([text, code]) => text.trim() === this.name && this.#occurs(code));
  }

  /**
   * The whole column. A missing value gets the code of the category `''`, appended after the others (or the schema's own), or
   * under `impute` the same code without such a category. In a continuous column it is NaN, which the caller refuses unless the model imputes it.
   */
  finish(missing: 'category' | 'impute', empty: 'refuse' | 'allow-empty' = 'refuse'): EncodedColumn {
    const inferred = this.#rule.type === 'infer';
    const isMany = this.#codeOfCategory.size > MAX_DISTINCT_CODES;
    if (inferred && this.#allNumbers && isMany && this.#values === undefined) this.#turnContinuous();
    if (this.#values !== undefined) {
      const values = this.#values.slice(0, this.records);
      this.#refuseHuge(values);
      return {
        variable: { name: this.name, type: 'continuous' },
        column: { type: 'continuous', values },
        inferred,
        traits: this.#traits ?? null,
        suspectedCodes: inferred ? suspectedMissingCodes(() => valuesOnce(values)) : [],
      };
    }
    const variable = this.#categoricalVariable(missing, empty);
    const isOfTexts = inferred || this.#rule.type === 'categorical';
    return {
      variable,
      traits: isOfTexts ? this.#traitsOfTexts() : null,
      suspectedCodes: inferred && this.#allNumbers ? suspectedMissingCodes(() => this.#valuesWithCounts()) : [],
      column: { type: 'categorical', codes: this.#finalCodes(variable) },
      inferred,
    };
  }

  /** Refuses numbers whose moments would not be finite. */
  #refuseHuge(values: Float64Array): void {
    const index = values.findIndex((value) => Math.abs(value) > MOST);
    if (index < 0) return;
    throw new InvalidTableError(
      'number-too-large',
      `row ${index + 1}, ${this.#place}: expected a number from -1e100 to 1e100; a code of missing values is declared by --missing-codes, and other values are given in larger units`,
      { row: index + 1, column: this.number },
    );
  }

  #traitsOfTexts(): ColumnTraits {
    return columnTraits([...this.#codeOfCategory.keys()], this.#numberOf);
  }

  /** Each number that occurs, with how often, before its codes are final. */
  *#valuesWithCounts(): Generator<readonly [number, number]> {
    const counts = new Uint32Array(this.#codeOfCategory.size + 1);
    const missing = missingMark(this.#codes);
    for (let record = 0; record < this.records; record++) {
      const code = this.#codes[record]!;
      if (code !== missing) counts[code]!++;
    }
    for (const [text, code] of this.#codeOfCategory) yield [this.#numberOf(text), counts[code]!];
  }

  /** The code of a text not seen before; undefined when the column turns out to be continuous instead. */
  #newCategory(text: string): number | undefined {
    if (this.#rule.type === 'declared' || this.#rule.type === 'schema') {
      const source = this.#rule.type === 'declared' ? 'config' : 'confidential table';
      throw this.#errorAtRow(
        'value-outside-categories',
        `expected one of the ${this.#codeOfCategory.size} categories of the ${source}${this.#remedyFor(this.#rule, text)}`,
      );
    }
    const code = this.#codeOfCategory.size;
    if (code === MAX_CATEGORIES) {
      if (this.#rule.type === 'infer' && this.#allNumbers && isNumber(text, this.#numberOf)) {
        this.#turnContinuous();
        return undefined;
      }
      throw this.#tooManyCategories();
    }
    this.#allNumbers &&= isNumber(text, this.#numberOf);
    this.#codeOfCategory.set(text, code);
    return code;
  }

  /** What to do about a text that is none of the categories of a rule. */
  #remedyFor(rule: ColumnRule, text: string): string {
    if (rule.type !== 'schema') return '';
    if (rule.source) {
      return `; leave such rows out, or declare all categories in the config (variables.${this.name}.categories)`;
    }
    const isLike = (as: (text: string) => unknown) => [...this.#codeOfCategory.keys()].some((category) => as(category) === as(text));
    if (isLike(this.#numberOf))
      return '; one of them is the same number, written otherwise, as 1.0 is 1 and 1e+05 is 100000: write it as the table has it';
    if (isLike(plainSpelling)) {
      return '; one of them differs in capitals, blanks or the encoding of accents alone (Unicode NFC, NFD): write it as the table has it';
    }
    const declared = `; declare all categories in the config (variables.${this.name}.categories)`;
    if (!isNumber(text, this.#numberOf)) return declared;
    const areNumbers = [...this.#codeOfCategory.keys()].map((category) => isNumber(category, this.#numberOf));
    if (!areNumbers.includes(true)) return '; where the table has the variable in bands, datasets have the names of bands, not numbers';
    // Where some are bands, as <15 beside 16, they cannot be read as numbers.
    return areNumbers.includes(false) ? declared : `${declared}, or read the variable as a number (--continuous ${inList(this.name)})`;
  }

  /** Whether a record has a category: one that was declared need not occur. */
  #occurs(code: number): boolean {
    return this.#rule.type !== 'declared' || this.#codes.subarray(0, this.records).includes(code);
  }

  #turnContinuous(): void {
    this.#traits = this.#traitsOfTexts();
    const valueOfCode = Float64Array.from(this.#codeOfCategory.keys(), this.#numberOf);
    const missing = missingMark(this.#codes);
    this.#values = Float64Array.from(this.#codes, (code) => (code === missing ? Number.NaN : valueOfCode[code]!));
    this.#codes = new Uint8Array(0);
    this.#codeOfCategory.clear();
  }

  #checkRange(text: string, [lowest, highest]: readonly [number, number]): void {
    const value = this.#numberIn(text);
    if (value >= lowest && value <= highest) return;
    throw this.#errorAtRow(
      'value-outside-range',
      `expected a number from ${lowest} to ${highest}, the range that is declared for the variable; a code of missing values, such as -9, is declared by --missing-codes ${inCommand(`${this.name}=-9`)}`,
    );
  }

  #checkDecimals(text: string, decimals: number): void {
    const value = this.#numberIn(text);
    if (roundedTo(decimals, value) === value) return;
    throw this.#errorAtRow(
      'more-decimals',
      `expected a number of ${decimals} decimals at most, as declared: declare as many as the values have (variables: { ${inConfig(this.name)}: { decimals: ${decimals + 1} } }, or more), or round them`,
    );
  }

  #numberIn(text: string): number {
    const value = this.#numberOf(text);
    // Of too many numbers to be categories one turns out to be a code: they all are.
    if (this.#rule.type === 'infer' && hasLeadingZero(text)) throw this.#tooManyCategories();
    if (Number.isNaN(value)) {
      throw this.#errorAtRow(
        'not-a-number',
        `expected a finite decimal number with a point and no spaces, since the variable ${this.#whyNumber()}; a mark of missing values is declared by --missing-codes, a decimal comma by --decimal-comma; whole numbers that no double holds, beyond 2^53, are categories`,
      );
    }
    return value;
  }

  /** What of its settings makes the variable a number. */
  #whyNumber(): string {
    if (this.#rule.type === 'banded' || this.#rule.type === 'schema') return 'has breaks';
    if (this.#range !== undefined) return 'has a range';
    return this.#decimals === undefined ? 'is continuous' : 'has decimals';
  }

  /** The text by which a category is known: of a number that the table has in bands, that of its band. */
  #labelOf(text: string): string {
    const breaks = this.#rule.type === 'schema' ? this.#rule.source?.breaks : undefined;
    return breaks === undefined ? text : bandLabels(breaks)[this.#bandIn(text, breaks)]!;
  }

  #bandIn(text: string, breaks: readonly number[]): number {
    const band = bandOf(breaks, this.#numberIn(text));
    if (band >= 0) return band;
    throw this.#errorAtRow(
      'value-below-breaks',
      `expected a number from the first of the variable's breaks on, which is ${breaks[0]}; a code of missing values, such as -9, is declared by --missing-codes ${inCommand(`${this.name}=-9`)}`,
    );
  }

  #categoricalVariable(missing: 'category' | 'impute', empty: 'refuse' | 'allow-empty'): CategoricalVariable {
    if (this.#rule.type === 'schema') {
      const { variable, source } = this.#rule;
      if (this.missing > 0 && variable.missingCode === undefined && !(source && missing === 'impute')) {
        throw new InvalidTableError(
          'missing-values',
          `row ${this.firstMissingRow}, ${this.#place}: expected no missing value, since missing is no category of this variable of the confidential table`,
          { row: this.firstMissingRow, column: this.number },
        );
      }
      return variable;
    }
    const categories =
      this.#rule.type === 'declared' || this.#rule.type === 'banded'
        ? [...this.#rule.categories]
        : inCategoryOrder(this.#codeOfCategory.keys(), this.#numberOf);
    const missingCode = this.missing > 0 && missing === 'category' ? categories.push('') - 1 : undefined;
    if (categories.length > MAX_CATEGORIES) throw this.#tooManyCategories();
    if (categories.length === 0 && empty === 'refuse') {
      throw new InvalidTableError(
        'no-category',
        `Column \`${this.name}\` has no value at all. Drop it (--drop ${inList(this.name)}), or declare all its categories in the config.`,
        { column: this.number },
      );
    }
    const variable: CategoricalVariable = { name: this.name, type: 'categorical', categories };
    return missingCode === undefined ? variable : { ...variable, missingCode };
  }

  /** The codes in the order of the categories, written over those in the order of first appearance. */
  #finalCodes(variable: CategoricalVariable): Codes {
    const missing = missingMark(this.#codes);
    const finalCode = new Uint16Array(missing + 1);
    finalCode[missing] = variable.categories.length;
    for (const [code, text] of variable.categories.entries()) {
      finalCode[code === variable.missingCode ? missing : this.#codeOfCategory.get(text)!] = code;
    }
    const codes = this.#codes.subarray(0, this.records);
    for (let record = 0; record < codes.length; record++) codes[record] = finalCode[codes[record]!]!;
    return codes;
  }

  #putCode(record: number, code: number): void {
    if (code >= missingMark(this.#codes)) {
      this.#codes = Uint16Array.from(this.#codes, (byte) => (byte === BYTE_MISSING ? MAX_CATEGORIES : byte));
    }
    this.#makeRoom(record);
    this.#codes[record] = code;
  }

  #putMissing(record: number): void {
    this.#makeRoom(record);
    this.#codes[record] = missingMark(this.#codes);
  }

  #makeRoom(record: number): void {
    if (record < this.#codes.length) return;
    const length = Math.max(1024, 2 * record);
    const grown = this.#codes instanceof Uint8Array ? new Uint8Array(length) : new Uint16Array(length);
    grown.set(this.#codes);
    this.#codes = grown;
  }

  #putValue(record: number, value: number): void {
    if (record >= this.#values!.length) {
      const grown = new Float64Array(Math.max(1024, 2 * record));
      grown.set(this.#values!);
      this.#values = grown;
    }
    this.#values![record] = value;
  }

  #tooManyCategories(): InvalidTableError {
    return new InvalidTableError(
      'too-many-categories',
      `${this.#place} has more than ${MAX_CATEGORIES} categories: drop it when it identifies records (--drop), or group its values`,
      { column: this.number },
    );
  }

  #errorAtRow(code: string, expected: string): InvalidTableError {
    return new InvalidTableError(code, `row ${this.records}, ${this.#place}: ${expected}`, { row: this.records, column: this.number });
  }
}

/** Whether a text is a number rather than a code that begins with zeros. */
const isNumber = (text: string, numberOf: NumberReader) => !Number.isNaN(numberOf(text)) && !hasLeadingZero(text);

/** Numbers one by one, NaN left out. */
function* valuesOnce(values: Float64Array): Generator<readonly [number, number]> {
  for (const value of values) if (!Number.isNaN(value)) yield [value, 1];
}
