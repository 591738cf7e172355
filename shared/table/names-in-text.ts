import type { TableSchema } from '../contracts/schema.ts';

/** Names of variables in the text of a message: `age`, `sex`. */
export const namesInText = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** Variables of a table by their indices, in the text of a message. The header of the table was accepted before. */
export const variableNames = ({ variables }: TableSchema, indices: readonly number[]) =>
  namesInText(indices.map((index) => variables[index]!.name));
