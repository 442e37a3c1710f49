import type { JobDefinition, JobVerification, VerificationProfileConfig } from '../../schemas/catalogue/job-definition.ts'
import type { JobInput, JobTerms } from '../../schemas/catalogue/job-input.ts'
import { jobSchemaByRef, jobSchemaRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import type { JobRole, JobType, VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { nextDue, parseCron } from '../catalogue/cron.ts'
import type { BuiltJob, DeriveSalt } from '../catalogue/job-definition.ts'
import { specHashOf } from '../catalogue/spec-hash.ts'
import { CLAIM_TTL_DEFAULT_SECONDS, RETRY_LIMIT_DEFAULT } from '../common/constants.ts'
import { chainJobId } from '../common/ids.ts'
import { iso } from '../common/instants.ts'
import { parseUnitsExact } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { expectedWork, leadsToIssue } from '../pull-requests/expected.ts'
import { type Denial, denialOf } from '../pull-requests/maintainer-policy.ts'
import { commitmentOf, saltOutputs } from './commitments.ts'
import { type AuthoredConfig, refuseMember, verifierConfigOf } from './config.ts'
import { type CommittedJob, rejectsPlaceholders } from './placeholder-check.ts'

/** Assets, handlers and repositories that the service supports, and who lists. */
export interface ListingTerms {
  /** Decimals of the supported reward assets, by symbol. */
  assetDecimals: ReadonlyMap<string, number>
  /** Verifier modes with a handler; a job of another mode is refused. */
  handlerModes: ReadonlySet<VerifierMode>
  /** Denied repositories, `owner/name` or `owner/*` in lower case; none by default. */
  deniedRepos?: readonly string[]
  /** Derives the salts of expected outputs. */
  deriveSalt: DeriveSalt
  /** Lower case; null while the poster is unknown: then salts depend on the source. */
  posterAddress: string | null
  /** Config of a job that a profile judges; absent where no test contract was frozen. */
  frozenConfig?: VerificationProfileConfig
}

/** Terms with the values of their author. */
type AuthoredTerms = Omit<JobDefinition, 'id' | 'verifierConfig'> & { verifierConfig: AuthoredConfig }

/** The terms of a job as they are stored, before it has an id, and what opens their commitments. */
export type BuiltTerms = Pick<CommittedJob, 'definition'> & Pick<BuiltJob, 'expectedOutputs' | 'rewardRaw'>

const ROLE_OF: Record<JobType, JobRole> = {
  work: 'worker',
  curation: 'curator',
  review: 'reviewer',
  publish: 'publisher',
  verification: 'verifier',
}

/** Verbs for an effect outside the service, which only a pull request can have. */
const SIDE_EFFECT_VERBS = new Set(
  (
    'add apply bump close commit delete deploy edit fix implement install merge migrate modify publish push ' +
    'refactor remove rename replace revert update upgrade'
  ).split(' '),
)

const PR_SIGNALS = ['pr_exists', 'repo_matches', 'issue_referenced', 'claimant_bound', 'test_evidence_present']

function refuseSideEffectTitle({ title, verifierMode }: JobTerms): void {
  const [verb = ''] = title.toLowerCase().split(/[^a-z]+/, 1)
  if (verifierMode === 'codehost_pr' || !SIDE_EFFECT_VERBS.has(verb)) return
  throw refuseMember(
    '/title',
    'side_effect_verb',
    `A title may begin with "${verb}" only where the work is a pull request; name the result instead.`,
  )
}

function amountRawOf(
  member: 'rewardAmount' | 'reserveAmount',
  amount: number,
  { rewardAsset }: JobTerms,
  { assetDecimals }: ListingTerms,
): bigint {
  const decimals = assetDecimals.get(rewardAsset)
  if (decimals === undefined)
    throw refuseMember('/rewardAsset', 'supported_asset', `Rewards are paid in ${[...assetDecimals.keys()].join(', ')}.`)
  try {
    return parseUnitsExact(String(amount), decimals)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw refuseMember(`/${member}`, 'decimals', `The amount has at most ${decimals} decimal places.`)
  }
}

/** Returns the reference of a built-in schema; throws `invalid_request` for any other. */
function knownRef(ref: string, pointer: string): string {
  if (jobSchemaByRef(ref) !== undefined) return ref
  throw refuseMember(pointer, 'known_schema', `${ref} is no built-in schema; see GET /schemas/jobs.`)
}

/** Throws `invalid_request` unless every reference to the output schema is the same. */
function refuseRefConflict(outputSchemaRef: string, { source, verification }: JobTerms): void {
  const message = `Every reference to the schema of the result must be ${outputSchemaRef}.`
  const sourceRef = source?.outputSchemaRef
  if (sourceRef !== undefined && sourceRef !== outputSchemaRef)
    throw refuseMember('/source/outputSchemaRef', 'submission_schema_ref_conflict', message)
  const evidenceRef = verification?.evidenceSchemaRef
  if (evidenceRef === undefined || evidenceRef === outputSchemaRef) return
  throw refuseMember('/verification/evidenceSchemaRef', 'submission_schema_ref_conflict', message)
}

function verificationOf({ verification, verifierMode }: JobTerms, evidenceSchemaRef: string): JobVerification | undefined {
  if (verification !== undefined) return { method: verification.method, signals: verification.signals, evidenceSchemaRef }
  return verifierMode === 'codehost_pr' ? { method: 'codehost_pr', signals: PR_SIGNALS, evidenceSchemaRef } : undefined
}

const denialError = ({ repo }: Denial): ServiceError =>
  repo === null
    ? refuseMember(
        '/source/maintainerPolicy/repoDenied',
        'repo_denylisted',
        'No work is listed where the source says that its maintainers take none.',
      )
    : refuseMember('/source/repo', 'repo_denylisted', `No work is listed for ${repo}.`)

/** Throws `invalid_request` for a denied source, or for a pull-request job without repository and issue. */
function refuseTarget({ source, verifierMode, verifierConfig }: JobTerms, { deniedRepos = [] }: ListingTerms): void {
  const denial = denialOf(source, deniedRepos)
  if (denial !== null) throw denialError(denial)
  if (verifierMode !== 'codehost_pr') return
  const { repo, issueNumber } = expectedWork(source)
  if (repo === null) throw refuseMember('/source/repo', 'pull_request_target', 'Name the repository of the pull request as owner/name.')
  if (source?.issueUrl != null && !leadsToIssue(source.issueUrl, { repo, issueNumber }))
    throw refuseMember(
      '/source/issueUrl',
      'pull_request_target',
      'Give the https address of the issue in the repository that the source names.',
    )
  if (issueNumber !== null || verifierConfig?.requireIssueReference === false) return
  throw refuseMember('/source/issueNumber', 'pull_request_target', 'Name the issue that the pull request must refer to.')
}

function refuseUnlistable(input: JobTerms, terms: ListingTerms): void {
  const { handlerModes } = terms
  refuseSideEffectTitle(input)
  refuseTarget(input, terms)
  if (!handlerModes.has(input.verifierMode)) {
    throw refuseMember('/verifierMode', 'handler_exists', `No handler of ${input.verifierMode} exists; see GET /verifier/handlers.`)
  }
  if (input.onboardingWaiverEligible && input.tier !== 'starter') {
    throw refuseMember('/onboardingWaiverEligible', 'starter_only', 'The bond is waived on starter jobs only.')
  }
  refuseRecurrence(input)
}

const RECURRENCE_MEMBERS = ['reserveAmount', 'maxRuns', 'startAt', 'endAt'] as const

/** Throws `invalid_request` for members of a recurring template that do not fit together, and for a template whose jobs would share their answer. */
function refuseRecurrence(input: JobTerms): void {
  const { schedule, startAt, endAt } = input
  if ((input.recurring === true) !== (schedule !== undefined))
    throw refuseMember('/schedule', 'recurring', 'A recurring job has a schedule, and only a recurring job has one.')
  const alone = schedule === undefined ? RECURRENCE_MEMBERS.find((member) => input[member] !== undefined) : undefined
  if (alone !== undefined) throw refuseMember(`/${alone}`, 'recurring', 'Only a recurring job has this member.')
  if (schedule === undefined) return
  const cron = parseCron(schedule.cron)
  if (cron === null) throw refuseMember('/schedule/cron', 'cron', 'A field is outside its range: minute, hour, day, month, weekday.')
  if (startAt !== undefined && endAt !== undefined && Date.parse(startAt) >= Date.parse(endAt))
    throw refuseMember('/endAt', 'order', 'The template ends after it starts.')
  const first = nextDue(cron, startAt === undefined ? 0 : Date.parse(startAt) - 1)
  if (first === null || (startAt !== undefined && endAt !== undefined && first > Date.parse(endAt)))
    throw refuseMember('/schedule/cron', 'cron', 'The schedule has no due time.')
  if (input.verifierMode === 'deterministic')
    throw refuseMember(
      '/verifierMode',
      'recurring',
      'The answer of one job of a deterministic template would be that of the next one. List each job with values of its own.',
    )
}

/** What the jobs of a template may cost in all, in base units; undefined without a limit. */
function reserveRawOf(input: JobTerms, terms: ListingTerms, rewardRaw: bigint): string | undefined {
  if (input.reserveAmount === undefined) return undefined
  const reserveRaw = amountRawOf('reserveAmount', input.reserveAmount, input, terms)
  if (reserveRaw < rewardRaw) throw refuseMember('/reserveAmount', 'reserve', 'The reserve pays at least one job.')
  return reserveRaw.toString()
}

const canonical = (instant: string): string => iso(Date.parse(instant))

/** Optional members of a definition. */
function optionalMembers(input: JobTerms, outputSchemaRef: string): Partial<Omit<JobDefinition, 'verifierConfig'>> {
  const verification = verificationOf(input, outputSchemaRef)
  return {
    ...(input.estimatedDifficulty === undefined ? {} : { estimatedDifficulty: input.estimatedDifficulty }),
    ...(input.source === undefined ? {} : { source: input.source }),
    ...(verification === undefined ? {} : { verification }),
    ...(input.schedule === undefined ? {} : { recurring: true, schedule: input.schedule }),
    ...(input.maxRuns === undefined ? {} : { maxRuns: input.maxRuns }),
    ...(input.startAt === undefined ? {} : { startAt: canonical(input.startAt) }),
    ...(input.endAt === undefined ? {} : { endAt: canonical(input.endAt) }),
  }
}

function authoredTerms(input: JobTerms, rewardRaw: bigint, { frozenConfig }: ListingTerms): AuthoredTerms {
  const inputSchemaRef = knownRef(input.inputSchemaRef ?? jobSchemaRef(`${input.category}-input`), '/inputSchemaRef')
  const outputSchemaRef = knownRef(input.outputSchemaRef ?? jobSchemaRef(`${input.category}-output`), '/outputSchemaRef')
  refuseRefConflict(outputSchemaRef, input)
  return {
    ...pick(input, 'title', 'description', 'category', 'tier', 'jobType', 'rewardAsset', 'verifierMode'),
    ...pick(input, 'requiresSponsoredGas', 'onboardingWaiverEligible', 'acceptanceCriteria', 'agentInstructions'),
    inputSchemaRef,
    outputSchemaRef,
    requiredRole: input.requiredRole ?? ROLE_OF[input.jobType],
    rewardAmountRaw: rewardRaw.toString(),
    verifierConfig: verifierConfigOf(input, frozenConfig),
    claimTtlSeconds: input.claimTtlSeconds ?? CLAIM_TTL_DEFAULT_SECONDS,
    retryLimit: input.retryLimit ?? RETRY_LIMIT_DEFAULT,
    ...optionalMembers(input, outputSchemaRef),
  }
}

/** Puts commitments in place of the expected outputs. */
function commit(authored: AuthoredTerms, { posterAddress, deriveSalt }: ListingTerms): CommittedJob & Pick<BuiltJob, 'expectedOutputs'> {
  const { verifierConfig } = authored
  if (verifierConfig.handler !== 'deterministic') return { definition: { ...authored, verifierConfig }, expectedOutputs: [] }
  const { expectedOutputs: values, ...rule } = verifierConfig
  const expectedOutputs = saltOutputs(values, posterAddress ?? authored.source ?? null, authored, deriveSalt)
  return { definition: { ...authored, verifierConfig: { ...rule, commitments: expectedOutputs.map(commitmentOf) } }, expectedOutputs }
}

/**
 * The stored terms of any job; `beside` are members that its author has no say in. Refuses with `invalid_request` (pointer and rule) or
 * `catalog_verifier_cannot_reject_bad_work`. The reward is converted to base units here and nowhere else.
 */
export function buildTerms(input: JobTerms, beside: Partial<JobDefinition>, terms: ListingTerms): BuiltTerms {
  refuseUnlistable(input, terms)
  const rewardRaw = amountRawOf('rewardAmount', input.rewardAmount, input, terms)
  const reserveAmountRaw = reserveRawOf(input, terms, rewardRaw)
  const { definition, expectedOutputs } = commit(
    { ...authoredTerms(input, rewardRaw, terms), ...(reserveAmountRaw !== undefined && { reserveAmountRaw }), ...beside } as AuthoredTerms,
    terms,
  )
  if (!rejectsPlaceholders({ definition, expectedOutputs })) {
    throw new ServiceError('catalog_verifier_cannot_reject_bad_work', {
      errors: [
        {
          pointer: '/verifierConfig',
          rule: 'rejects_placeholder',
          message: 'The verifier would approve a placeholder, or cannot distinguish it from work.',
        },
      ],
    })
  }
  return { definition, expectedOutputs, rewardRaw }
}

/** The stored definition of an operator's job. Refuses as `buildTerms` does. */
export function buildJob(input: JobInput, terms: ListingTerms): BuiltJob {
  const { id } = input
  if (chainJobId(id) === id) throw refuseMember('/id', 'slug', 'The id has the form of a job id on chain.')
  const built = buildTerms(input, pick(input, 'id', 'lane'), terms)
  const definition = { ...built.definition, id }
  return { ...built, definition, specHash: specHashOf(definition), chainJobId: chainJobId(id) }
}
