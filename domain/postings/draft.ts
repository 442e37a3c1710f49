import type { ExpectedOutput, JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { JobTerms, VerifierConfigInput } from '../../schemas/catalogue/job-input.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import { type FieldError, isServiceError, type ServiceError } from '../../schemas/errors.ts'
import { fieldErrors, sentenceOf } from '../../schemas/operations/field-errors.ts'
import type { TestContract } from '../../schemas/paid-verification/profiles/freeze.ts'
import { PostingInput } from '../../schemas/postings/definition-input.ts'
import { specHashOf } from '../catalogue/spec-hash.ts'
import type { Hex } from '../common/hashes.ts'
import { schemaErrors } from '../common/json-schema.ts'
import { pick } from '../common/pick.ts'
import { type BuiltTerms, buildTerms, type ListingTerms } from '../verification/listing.ts'
import { isAttainable } from './attainable.ts'
import { postedDraftId, postedJobId } from './ids.ts'
import { frozenConfigOf, PATCH_SCHEMA, type ProofGate, readProofGate } from './proof/gate.ts'
import {
  foreignSchema,
  type PostedAmounts,
  type RewardBounds,
  readAmounts,
  readClaimant,
  refuseDefinition,
  refuseForbiddenMembers,
  refuseForeignSchemas,
  type SentDefinition,
} from './refusals.ts'

/** What the service takes, and who posts. */
export interface PostingTerms extends RewardBounds, Pick<ListingTerms, 'handlerModes' | 'deniedRepos' | 'deriveSalt'> {
  /** Lower-case address. */
  poster: string
  /** The frozen contract of a job that a profile judges; absent until it is frozen. */
  contract?: TestContract
  /** Rules of the listing screen that a definition breaks; pointers begin at the definition. */
  screen: (definition: unknown) => readonly FieldError[]
}

/** A posting whose terms the service takes. Amounts in base units. */
export interface BuiltPosting extends PostedAmounts {
  draftId: Hex
  jobId: Hex
  specHash: Hex
  /** Its id is `jobId`. */
  definition: JobDefinition
  /** What opens the commitments of the definition; empty without any. */
  expectedOutputs: ExpectedOutput[]
  isDesignated: boolean
  /** What the contract is frozen from; null where another verifier judges. Without the contract of the terms the definition must not be stored. */
  gate: ProofGate | null
}

function readShape(sent: unknown): PostingInput {
  const parsed = PostingInput.safeParse(sent, { reportInput: true, error: sentenceOf })
  if (parsed.success) return parsed.data
  throw refuseDefinition(
    'invalid_request',
    parsed.error.issues.flatMap((issue) => fieldErrors('body', issue)),
  )
}

type ConfigMember = Exclude<keyof VerifierConfigInput, 'handler' | 'version' | 'anchorEvidence'>

/** Member of a posting for each member of a verifier config. */
const CONFIG_MEMBERS: Record<ConfigMember, keyof PostingInput> = {
  requiredKeywords: 'verifierTerms',
  expectedOutputs: 'verifierTerms',
  minimumMatches: 'verifierMinimumMatches',
  matchMode: 'verifierMatchMode',
  minimumScore: 'verifierMinimumScore',
  requireIssueReference: 'requireIssueReference',
  requireTestEvidence: 'requireTestEvidence',
  requireClaimantBinding: 'requireClaimantBinding',
  acceptMergedAsApproved: 'acceptMergedAsApproved',
  autoApprove: 'autoApprove',
  escalationMessage: 'escalationMessage',
}

function minimumScoreOf({ minimumScore, verifierMinimumScore }: PostingInput): number | undefined {
  if (minimumScore === undefined || verifierMinimumScore === undefined || minimumScore === verifierMinimumScore)
    return verifierMinimumScore ?? minimumScore
  const message = 'Give either minimumScore or verifierMinimumScore.'
  throw refuseDefinition('invalid_request', [{ pointer: '/minimumScore', rule: 'given_twice', message }])
}

function configOf(input: PostingInput): VerifierConfigInput {
  const { verifierMatchMode: matchMode, requireIssueReference, requireTestEvidence, requireClaimantBinding } = input
  const { acceptMergedAsApproved, autoApprove, escalationMessage } = input
  const config = {
    minimumScore: minimumScoreOf(input),
    ...{ matchMode, requireIssueReference, requireTestEvidence, requireClaimantBinding },
    ...{ acceptMergedAsApproved, autoApprove, escalationMessage },
  }
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}

const termsOf = (input: PostingInput): JobTerms => ({
  ...pick(input, 'title', 'description', 'category', 'tier', 'jobType', 'requiredRole', 'rewardAsset', 'rewardAmount', 'retryLimit'),
  ...pick(input, 'verifierMode', 'verifierTerms', 'verifierMinimumMatches', 'verification', 'inputSchemaRef', 'outputSchemaRef'),
  ...pick(input, 'claimTtlSeconds', 'acceptanceCriteria', 'agentInstructions', 'estimatedDifficulty', 'source'),
  requiresSponsoredGas: false,
  onboardingWaiverEligible: false,
  verifierConfig: configOf(input),
})

/** Pointer of a member as the poster wrote it. */
const asPosted = (pointer: string): string => {
  const [, member] = /^\/verifierConfig(?:\/(\w+))?/.exec(pointer) ?? []
  if (member !== undefined && Object.hasOwn(CONFIG_MEMBERS, member)) return `/${CONFIG_MEMBERS[member as ConfigMember]}`
  return pointer.startsWith('/verifierConfig') ? '/verifierMode' : pointer
}

/** A refusal of the rules that operators' jobs have too, with the members as the poster wrote them. */
function inTermsOfPoster({ code, info }: ServiceError): ServiceError {
  const errors = (info.errors ?? []).map((error) => ({ ...error, pointer: asPosted(error.pointer) }))
  const [first] = errors
  return first?.rule === 'known_schema' ? foreignSchema(first.pointer) : refuseDefinition(code, errors)
}

function build(input: JobTerms, beside: Partial<JobDefinition>, terms: ListingTerms): BuiltTerms {
  try {
    return buildTerms(input, beside, terms)
  } catch (error) {
    throw isServiceError(error) ? inTermsOfPoster(error) : error
  }
}

function refuseUnreachable(built: BuiltTerms): void {
  if (isAttainable(built)) return
  const message = 'No submission that the schema of the result takes could be approved.'
  throw refuseDefinition('invalid_request', [{ pointer: '/outputSchemaRef', rule: 'attainable', message }])
}

function refuseInput({ inputSchemaRef, input }: BuiltTerms['definition']): void {
  const schema = jobSchemaByRef(inputSchemaRef)
  if (input === undefined || schema === undefined) return
  const errors = schemaErrors(schema, input)
  if (errors.length === 0) return
  throw refuseDefinition(
    'invalid_request',
    errors.map((error) => ({ ...error, pointer: `/input${error.pointer}` })),
  )
}

function refuseByScreen(input: PostingInput, screen: PostingTerms['screen']): void {
  let broken: readonly FieldError[]
  try {
    broken = screen(input)
  } catch (cause) {
    const message = 'The screen of listings could not read the text, so it is not listed.'
    throw refuseDefinition('external_listing_quarantined', [{ pointer: '', rule: 'screen_unavailable', message }], cause)
  }
  if (broken.length > 0) throw refuseDefinition('external_listing_quarantined', broken)
}

/**
 * The stored form of a job that a wallet posts, with its ids. Refuses in this order: members that are known only to be refused, amounts,
 * claimant, schemas, shape, the rules that operators' jobs have too, and the listing screen. Every refusal names the member, the rule and its
 * limit. Source: money, "External posting".
 */
export function buildPosting(sent: unknown, terms: PostingTerms): BuiltPosting {
  const members = sent !== null && typeof sent === 'object' && !Array.isArray(sent) ? (sent as SentDefinition) : null
  if (members === null)
    throw refuseDefinition('invalid_request', [{ pointer: '', rule: 'type', limit: 'object', message: 'must be an object' }])
  refuseForbiddenMembers(members)
  const { poster, asset, screen } = terms
  const amounts = readAmounts(members, terms)
  const claimant = readClaimant(members, amounts.rewardRaw, terms)
  refuseForeignSchemas(members)
  const input = readShape(members)
  const gate = readProofGate(input, claimant)
  const beside: Partial<JobDefinition> = {
    opsReserveRaw: amounts.opsReserveRaw.toString(),
    contingencyReserveRaw: amounts.contingencyReserveRaw.toString(),
    ...(input.lane !== undefined && { lane: input.lane }),
    ...(input.input !== undefined && { input: input.input }),
    ...(claimant !== null && { designatedClaimants: [claimant] }),
  }
  const { deniedRepos, handlerModes, deriveSalt } = terms
  const listing = {
    ...(deniedRepos !== undefined && { deniedRepos }),
    ...(gate !== null && { frozenConfig: frozenConfigOf(gate, terms.contract ?? null) }),
    ...{ handlerModes, deriveSalt, posterAddress: poster, assetDecimals: new Map([[asset.symbol, asset.decimals]]) },
  }
  const built = build({ ...termsOf(input), ...(gate !== null && { outputSchemaRef: PATCH_SCHEMA }) }, beside, listing)
  refuseUnreachable(built)
  refuseInput(built.definition)
  refuseByScreen(input, screen)
  const specHash = specHashOf(built.definition)
  const content = { poster, contentHash: specHash }
  const jobId = postedJobId(content)
  return {
    draftId: postedDraftId(content),
    jobId,
    specHash,
    definition: { ...built.definition, id: jobId },
    expectedOutputs: built.expectedOutputs,
    isDesignated: claimant !== null,
    gate,
    ...amounts,
  }
}
