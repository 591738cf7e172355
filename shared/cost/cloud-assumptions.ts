import { SHARE_FOR_INPUTS } from '../contracts/cloud/cloud-environment.ts';

/**
 * What the estimate takes for granted where AWS promises nothing. None of it was measured in AWS for this program;
 * docs/explanation/cost.md says for each where it comes from and what it moves.
 */
export const CLOUD_ASSUMPTIONS = {
  /** Speed of a vCPU on arm64, as a multiple of a core of the machine on which the speeds were measured. */
  vcpuSpeed: 1,
  /** From the call of a new environment of a function to its first line: runtime, bundle and network. */
  coldStartSeconds: 0.5,
  /** From a request to the first byte of an object: 20 ms in nine cases of ten, with something for the SDK and the key. */
  s3FirstByteSeconds: 0.03,
  /** Bytes a second into an environment of a function: 400 to 700 Mbit/s were measured. */
  s3BytesPerSecond: 62_500_000,
  /** From the request for a container task to its first line: capacity, network and image. */
  containerStartSeconds: 60,
  /** Requests to the key for each to the bucket, with a bucket key. */
  keyRequestsPerRequest: 0.01,
  /** What Lambda itself logs of a call. */
  logBytesPerCall: 500,
  /** What the program of a function takes whatever it works on (MiB). */
  programMiB: 100,
  /** Share of an environment's memory that may hold the table and the draws between calls. */
  inputsShareOfMemory: SHARE_FOR_INPUTS,
  /** Seconds a combination of the steps that are one call each, as `npm run bench:cost -- --measure` finds them. */
  planSecondsPerCombination: 1.1e-5,
  aggregateSecondsPerCombination: 8e-5,
  aggregateSecondsPerValue: 6e-6,
  reportSecondsPerCombination: 3.5e-5,
  /** The same of a combination that the report holds by itself, of which it has 50,000 at most. */
  reportSecondsPerRowHeld: 1e-4,
  /** What such a call takes whatever the table: a cold start, some reading and writing, the charts. */
  stepSeconds: 3,
} as const;
