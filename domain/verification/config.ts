import type {
  BenchmarkConfig,
  DeterministicConfig,
  VerificationProfileConfig,
  VerifierConfig,
} from '../../schemas/catalogue/job-definition.ts'
import type { JobTerms, VerifierConfigInput } from '../../schemas/catalogue/job-input.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import { type FieldError, ServiceError } from '../../schemas/errors.ts'
import { COMMITTED_FACTS_METHOD, isCommittedFacts, isFactValue, parseFact, pinnedSource } from '../catalogue/committed-facts.ts'
import { isPinnable, OPEN_DATA_METHOD } from '../catalogue/open-data.ts'
import { isOpenData } from './foreseen-rejection.ts'

/** Config members of each verifier mode. */
const MEMBERS: Record<VerifierMode, readonly (keyof VerifierConfigInput)[]> = {
  benchmark: ['requiredKeywords', 'minimumMatches', 'anchorEvidence'],
  deterministic: ['expectedOutputs', 'matchMode'],
  human_fallback: ['escalationMessage', 'autoApprove'],
  codehost_pr: ['minimumScore', 'requireIssueReference', 'requireTestEvidence', 'acceptMergedAsApproved', 'requireClaimantBinding'],
  verification_profile: [],
}
const DEFAULT_MINIMUM_SCORE = 80
const DEFAULT_ESCALATION = 'A person reviews this submission.'

/** 400 `invalid_request` for one member of a job. */
export const refuseMember = (pointer: string, rule: string, message: string): ServiceError => {
  const errors: FieldError[] = [{ pointer, rule, message }]
  return new ServiceError('invalid_request', { detail: message, errors })
}

function refuseForeignMembers(mode: VerifierMode, config: VerifierConfigInput): void {
  if (config.handler !== undefined && config.handler !== mode) {
    throw refuseMember('/verifierConfig/handler', 'verifier_mode', `The handler of this job is ${mode}.`)
  }
  const known = new Set<string>(['handler', 'version', ...MEMBERS[mode]])
  const foreign = Object.keys(config).find((member) => !known.has(member))
  if (foreign !== undefined) throw refuseMember(`/verifierConfig/${foreign}`, 'verifier_mode', `A ${mode} job has no such rule.`)
}

/** Verifier config as its author gives it: with the values in place of the commitments. */
export type AuthoredConfig =
  | Exclude<VerifierConfig, DeterministicConfig>
  | (Omit<DeterministicConfig, 'commitments'> & { expectedOutputs: string[] })

/** Refuses an open-data job that its two pinned addresses cannot decide. */
function refuseUnpinnedData(input: JobTerms): void {
  if (!isOpenData(input)) return
  const { source, verifierMode } = input
  if (verifierMode !== 'deterministic')
    throw refuseMember('/verification/method', 'verifier_mode', `${OPEN_DATA_METHOD} is judged by the mode deterministic.`)
  if (![source?.datasetUrl, source?.resourceUrl].every(isPinnable))
    throw refuseMember('/source', 'pinned_addresses', 'Pin datasetUrl and resourceUrl as https addresses without credentials.')
}

/** Terms of the short form or of the config; throws when the input has both or none. */
function termsOf({ verifierTerms }: JobTerms, config: string[] | undefined, member: string): string[] {
  if (verifierTerms !== undefined && config !== undefined) {
    throw refuseMember('/verifierTerms', 'given_twice', `Give either verifierTerms or verifierConfig.${member}.`)
  }
  const terms = verifierTerms ?? config
  if (terms === undefined || terms.length === 0) {
    throw refuseMember(`/verifierConfig/${member}`, 'required', 'The verifier needs at least one term.')
  }
  return terms
}

function benchmark(input: JobTerms, config: VerifierConfigInput): BenchmarkConfig {
  const requiredKeywords = termsOf(input, config.requiredKeywords, 'requiredKeywords')
  const minimumMatches = config.minimumMatches ?? input.verifierMinimumMatches ?? Math.min(requiredKeywords.length, 2)
  if (minimumMatches > requiredKeywords.length) {
    const pointer = config.minimumMatches === undefined ? '/verifierMinimumMatches' : '/verifierConfig/minimumMatches'
    throw refuseMember(pointer, 'maximum', 'The minimum number of matches exceeds the number of keywords.')
  }
  const { anchorEvidence } = config
  return {
    handler: 'benchmark',
    version: config.version ?? 2,
    requiredKeywords,
    minimumMatches,
    ...(anchorEvidence !== undefined && { anchorEvidence }),
  }
}

const FACTS_POINTER = '/verifierConfig/expectedOutputs'

/** Refuses facts of a pinned source that no fetch of it could confirm, or that the definition does not name. */
function refuseUnpinnedFacts({ source, verification }: JobTerms, outputs: readonly string[], { matchMode }: VerifierConfigInput): void {
  if (pinnedSource(source) === null)
    throw refuseMember('/source/pinnedUrl', 'pinned_addresses', 'Pin pinnedUrl as an https address without credentials.')
  if (matchMode === 'exact')
    throw refuseMember('/verifierConfig/matchMode', 'source_facts', 'Every fact of a source is compared: the match mode is contains_all.')
  const facts = outputs.map(parseFact)
  if (facts.some((fact) => fact === null || !isFactValue(fact)))
    throw refuseMember(FACTS_POINTER, 'source_facts', 'Give each fact as its name in lower case, a space and its value.')
  const names = facts.flatMap((fact) => fact?.name ?? [])
  if (new Set(names).size < names.length || !names.includes('sha256'))
    throw refuseMember(FACTS_POINTER, 'source_facts', 'Give each fact once, and the SHA-256 of the source among them.')
  if (verification?.signals.toSorted().join(' ') !== names.toSorted().join(' '))
    throw refuseMember('/verification/signals', 'source_facts', 'Name each fact in the signals, without its value.')
}

function deterministic(input: JobTerms, config: VerifierConfigInput): AuthoredConfig {
  const expectedOutputs = isOpenData(input) ? [] : termsOf(input, config.expectedOutputs, 'expectedOutputs')
  if (isCommittedFacts(input)) {
    refuseUnpinnedFacts(input, expectedOutputs, config)
    return { handler: 'deterministic', version: config.version ?? 1, expectedOutputs, matchMode: 'contains_all' }
  }
  return { handler: 'deterministic', version: config.version ?? 1, expectedOutputs, matchMode: config.matchMode ?? 'exact' }
}

function refuseTerms(input: JobTerms): void {
  for (const member of ['verifierTerms', 'verifierMinimumMatches'] as const)
    if (input[member] !== undefined)
      throw refuseMember(`/${member}`, 'verifier_mode', `A ${input.verifierMode} job is not judged by terms.`)
}

/** Complete verifier config from the author's input; `frozen` is that of a job whose test contract was frozen. Throws `invalid_request` for members that the mode does not support. */
export function verifierConfigOf(input: JobTerms, frozen?: VerificationProfileConfig): AuthoredConfig {
  const config = input.verifierConfig ?? {}
  refuseForeignMembers(input.verifierMode, config)
  refuseUnpinnedData(input)
  if (isCommittedFacts(input) && input.verifierMode !== 'deterministic')
    throw refuseMember('/verification/method', 'verifier_mode', `${COMMITTED_FACTS_METHOD} is judged by the mode deterministic.`)
  const version = config.version ?? 1
  switch (input.verifierMode) {
    case 'benchmark':
      return benchmark(input, config)
    case 'deterministic':
      return deterministic(input, config)
    case 'human_fallback':
      refuseTerms(input)
      return {
        handler: 'human_fallback',
        version,
        escalationMessage: config.escalationMessage ?? DEFAULT_ESCALATION,
        autoApprove: config.autoApprove ?? false,
      }
    case 'verification_profile':
      refuseTerms(input)
      if (frozen === undefined)
        throw refuseMember('/verifierMode', 'posted_only', 'A profile judges only a job that a wallet posts for one named claimant.')
      return frozen
    case 'codehost_pr':
      refuseTerms(input)
      return {
        handler: 'codehost_pr',
        version,
        minimumScore: config.minimumScore ?? DEFAULT_MINIMUM_SCORE,
        requireIssueReference: config.requireIssueReference ?? true,
        requireTestEvidence: config.requireTestEvidence ?? true,
        acceptMergedAsApproved: config.acceptMergedAsApproved ?? true,
        requireClaimantBinding: config.requireClaimantBinding ?? false,
      }
  }
}
