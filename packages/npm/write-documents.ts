// Writes dist/index.d.ts and dist/documents.d.ts, the types of what programs can call.
import { copyFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import * as z from 'zod';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';

const options = { bannerComment: '', format: false, additionalProperties: false, ignoreMinAndMaxItems: true } as const;

/** The type of a document, under a name. */
const declare = (schema: z.ZodType, name: string, io: 'input' | 'output') =>
  compile(z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-7' }) as object, name, options);

const settings = await declare(configSchema, 'Settings', 'input');
const summary = await declare(summarySchema, 'Summary', 'output');
writeFileSync('dist/documents.d.ts', `/** What a config file can say, and what a run has found. */\n${settings}\n${summary}`);
copyFileSync('packages/npm/api.d.ts', 'dist/index.d.ts');
