import type { JsonValue, VerificationProfileConfig } from '../../../schemas/catalogue/job-definition.ts'
import { jobSchemaRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import type { ServiceError } from '../../../schemas/errors.ts'
import { fieldErrors, sentenceOf } from '../../../schemas/operations/field-errors.ts'
import { FreezeInputs, type FreezeRefusal, type TestContract } from '../../../schemas/paid-verification/profiles/freeze.ts'
import type { PostingInput } from '../../../schemas/postings/definition-input.ts'
import { HANDLER_VERSIONS } from '../../catalogue/verification-contract.ts'
import { type Hex, sha256Of } from '../../common/hashes.ts'
import { PROFILES } from '../../paid-verification/profiles.ts'
import { refuseDefinition } from '../refusals.ts'

/** Profiles whose passing result may release an escrow: their contract is frozen before the work begins. */
const ESCROW_PROFILES: ReadonlySet<string> = new Set(['git-patch-tests-v1@1'])

/** Schema of the work that such a profile judges. */
export const PATCH_SCHEMA = jobSchemaRef('patch-submission-output')

/** What a contract is frozen from. */
export interface ProofGate {
  profileRef: string
  profileDigest: Hex
  /** Complete: places that only the poster knows are among them. */
  inputs: FreezeInputs
  /** SHA-256 of the canonical JSON of profile and inputs. */
  inputsHash: Hex
}

const refuse = (pointer: string, rule: string, message: string, limit?: string): ServiceError =>
  refuseDefinition('invalid_request', [{ pointer, rule, message, ...(limit !== undefined && { limit }) }])

const CONFIG = '/verifierConfig'

/**
 * What the contract of a posting is frozen from; null where another verifier judges. Throws for members that do not fit together, and for inputs
 * that the profile does not take. Source: identity, "Proof-gated escrow".
 */
export const readProofGate = (input: PostingInput, claimant: string | null): ProofGate | null => {
  const { verifierMode, verifierConfig: config, outputSchemaRef } = input
  if (verifierMode !== 'verification_profile') {
    if (config === undefined) return null
    throw refuse(CONFIG, 'verifier_mode', 'Only a job that a profile judges has this member.')
  }
  if (claimant === null) {
    const message = 'A job that a profile judges names exactly one claimant.'
    throw refuseDefinition('designated_claimants_cardinality_invalid', [
      { pointer: '/designatedClaimants', rule: 'exactly_one', limit: 1, message },
    ])
  }
  if (outputSchemaRef !== undefined && outputSchemaRef !== PATCH_SCHEMA)
    throw refuse('/outputSchemaRef', 'patch_submission', `The work of a job that a profile judges is ${PATCH_SCHEMA}.`, PATCH_SCHEMA)
  if (config === undefined) throw refuse(CONFIG, 'required', 'Name the profile and its inputs.')
  const profile = PROFILES.find(({ ref }) => ref === config.profileRef && ESCROW_PROFILES.has(ref))
  if (profile === undefined) {
    const limit = [...ESCROW_PROFILES].join(', ')
    throw refuse(`${CONFIG}/profileRef`, 'escrow_profile', `A published profile that may release an escrow is: ${limit}.`, limit)
  }
  const parsed = FreezeInputs.safeParse(config.inputs, { reportInput: true, error: sentenceOf })
  if (!parsed.success) {
    const errors = parsed.error.issues.flatMap((issue) => fieldErrors('body', issue))
    throw refuseDefinition(
      'invalid_request',
      errors.map((error) => ({ ...error, pointer: `${CONFIG}/inputs${error.pointer}` })),
    )
  }
  const inputs = parsed.data
  const { ref: profileRef, digest: profileDigest } = profile
  return { profileRef, profileDigest, inputs, inputsHash: sha256Of({ profileRef, inputs }) }
}

/** Inputs as everybody may read them: of a private check the hash, never the place of its file. */
const publicInputs = ({ privateChecks, ...inputs }: FreezeInputs): Record<string, JsonValue> => ({
  ...(inputs as unknown as Record<string, JsonValue>),
  ...(privateChecks !== undefined && {
    privateChecks: privateChecks.map(({ id, sha256, path, required }) => ({ id, sha256, path, required })),
  }),
})

/** Stands in the definition while its other rules are checked; no definition with it is stored. */
const NOT_FROZEN = { contractDigest: '', terms: { targetedTests: [], regressionTests: [] } }

/** Config of a job by its gate and the contract that was frozen for it; null before it was. */
export const frozenConfigOf = (
  { profileRef, profileDigest, inputs, inputsHash }: ProofGate,
  contract: TestContract | null,
): VerificationProfileConfig => {
  const { contractDigest, terms } = contract ?? NOT_FROZEN
  return {
    handler: 'verification_profile',
    version: HANDLER_VERSIONS.verification_profile,
    ...{ profileRef, profileDigest, inputsHash },
    inputs: publicInputs(inputs),
    contract: {
      contractState: 'frozen',
      contractDigestAlgorithm: 'sha-256',
      contractDigest,
      targetedTests: terms.targetedTests.length,
      regressionTests: terms.regressionTests.length,
    },
  }
}

const REFUSALS: Readonly<Record<FreezeRefusal, string>> = {
  command_not_supported: 'The test command is none that the profile can freeze; begin it with node --test.',
  needs_network: 'The tests need a network, and a run has none.',
  cannot_be_built: 'The tests could not be run on the base, or reported no names.',
  base_not_repeatable: 'Two runs on the base had different results.',
  sentinel_missing: 'The test of the judge did not run beside the tests of every file.',
  mock_without_inputs: 'An imitated system has no hash of its recorded inputs.',
  no_differential_check: 'No test fails on the base, so a passing one would prove nothing.',
  targeted_check_passes_on_base: 'A test that the work must turn green is green on the base.',
  judging_file_unprotected: 'A file that defines the tests is not among the protected paths.',
  regression_red_on_base: 'A test that must stay green is red on the base.',
  private_check_without_hash: 'A required private check has no hash.',
  private_check_cannot_be_run: 'A private check could not be run on the base.',
  assurance_too_low: 'A payment on a passing result needs assurance level 2.',
  contract_too_large: 'The contract is longer than 64 KiB; name fewer tests.',
}

/** Refusal of a draft whose contract cannot be frozen, with each reason. */
export const contractRefused = (refusals: readonly FreezeRefusal[]): ServiceError =>
  refuseDefinition(
    'verification_contract_refused',
    refusals.map((rule) => ({ pointer: `${CONFIG}/inputs`, rule, message: REFUSALS[rule] })),
  )
