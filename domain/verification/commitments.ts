import { concat, sha256, stringToHex } from 'viem/utils'
import type { DeterministicConfig, ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import type { DeriveSalt } from '../catalogue/job-definition.ts'
import { canonicalJson } from '../common/canonical-json.ts'
import type { Hex } from '../common/hashes.ts'
import { normaliseText } from '../common/text.ts'

/** SHA-256 of the salt and the normalised value. */
export const commitmentOf = ({ value, salt }: ExpectedOutput): Hex => sha256(concat([salt, stringToHex(normaliseText(value))]))

/**
 * Values with their salts. A salt depends on the author, the place of the value and the terms with all values: equal terms of one author get
 * equal commitments, and no commitment occurs in two jobs.
 */
export const saltOutputs = (values: readonly string[], author: unknown, terms: object, deriveSalt: DeriveSalt): ExpectedOutput[] =>
  values.map((value, index) => ({ value, salt: deriveSalt(canonicalJson([author, index, terms])) }))

/** Whether these are the outputs that a config commits to. */
export const opensCommitments = ({ commitments }: DeterministicConfig, outputs: readonly ExpectedOutput[]): boolean =>
  outputs.length === commitments.length && outputs.every((output, index) => commitmentOf(output) === commitments[index])
