import { createClient } from '../../src/client.ts'
import type { CompactJob, Job } from '../../src/generated/operations.ts'
import { isProblem } from '../../src/problems.ts'
import type { Client, Input } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { formatInstant } from '../output/amounts.ts'
import { describeActions } from '../output/next-actions.ts'
import type { Report } from '../output/output.ts'
import { describeSchema } from '../output/schema.ts'
import { formatPairs, formatTable, oneLine, wrap } from '../output/text.ts'
import { findToken, openPublic, openSignedIn } from '../service/open.ts'
import { exampleText, writeNewFile } from './example-file.ts'

const PAGE = 100
const DEFAULT_ROWS = 25
const MOST_ROWS = 1_000
const rowLimit = (text: string | undefined): number => {
  if (text === undefined) return DEFAULT_ROWS
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MOST_ROWS) throw usageError(`--limit takes a number from 1 to ${MOST_ROWS}.`)
  return limit
}

const bondLimit = (text: string | undefined): string | undefined => {
  if (text !== undefined && !/^[1-9][0-9]{0,76}$/.test(text))
    throw usageError('--max-bond takes base units as digits: 150000 is 0.15 USDC.')
  return text
}

const filtersOf = ({ options }: Context, wallet: string | undefined): Input<'listJobs'> => {
  const { state, tier, verifier: verifierMode, category, source } = options
  const given = { state, tier, verifierMode, category, source, maxBond: bondLimit(textOption(options, 'max-bond')), wallet }
  const flags = { ...(options.claimable === true && { claimable: true }), ...(options.waived === true && { waiverEligible: true }) }
  // The parser has checked what is a choice.
  return { format: 'compact', limit: PAGE, ...given, ...flags } as Input<'listJobs'>
}

/** Waived claims that the signed-in wallet has left; undefined without a wallet, and where the service does not tell. */
const findWaiversLeft = async (context: Context): Promise<number | undefined> => {
  const { baseUrl, signal } = context
  const token = await findToken(context)
  if (token === undefined) return undefined
  try {
    // Without the key: a list asks for no passphrase.
    return (await createClient({ baseUrl, token }).getMe({}, { signal })).standing.waiverSlotsRemaining ?? undefined
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

const bondText = ({ bond, waiverEligible }: CompactJob, waiversLeft: number | undefined): string =>
  waiverEligible && waiversLeft !== 0 ? `${bond ?? ''} *`.trim() : (bond ?? '')

const describeJobs = (
  rows: readonly CompactJob[],
  { hasStates, waiversLeft }: { hasStates: boolean; waiversLeft: number | undefined },
  bold: (text: string) => string,
): string[] => {
  if (rows.length === 0) return ['No job matches.']
  const [head = '', ...table] = formatTable<CompactJob>(
    [
      { title: 'JOB', value: ({ id }) => id },
      { title: 'TITLE', value: ({ title }) => title, shrinks: true },
      { title: 'REWARD', value: ({ reward }) => reward, align: 'right' },
      { title: 'BOND', value: (row) => bondText(row, waiversLeft), align: 'right' },
      { title: 'TIER', value: ({ tier }) => tier },
      ...(hasStates ? [{ title: 'STATE', value: ({ reason }: CompactJob) => reason }] : []),
    ],
    rows,
  )
  const isWaived = waiversLeft !== 0 && rows.some(({ waiverEligible }) => waiverEligible)
  const mark =
    waiversLeft === undefined
      ? '* The bond is waived for the first claims of a wallet.'
      : `* The bond is waived for this wallet, which has ${waiversLeft} waived ${waiversLeft === 1 ? 'claim' : 'claims'} left.`
  return [bold(head), ...table, ...(isWaived ? ['', mark] : [])]
}

/** `jobs`: a table of the catalogue. */
export const jobs = async (context: Context): Promise<Report> => {
  const { options, signal } = context
  const limit = rowLimit(textOption(options, 'limit'))
  const { client, wallet } = await openPublic(context)
  const waiversLeft = await findWaiversLeft(context)
  const rows: CompactJob[] = []
  const filters = filtersOf(context, wallet)
  // A wallet without waivers left finds no job whose bond is waived for it.
  const isInVain = options.waived === true && waiversLeft === 0
  for await (const row of isInVain ? [] : client.paginate('listJobs', filters, { signal })) {
    if ('format' in row) continue
    rows.push(row)
    if (rows.length === limit) break
  }
  const lines = describeJobs(rows, { hasStates: options.claimable !== true, waiversLeft }, context.output.bold)
  return { document: { jobs: rows, count: rows.length }, lines }
}

const list = (title: string, items: readonly string[] | undefined): string[] =>
  items === undefined || items.length === 0 ? [] : ['', title, ...items.flatMap((item) => wrap(`- ${oneLine(item)}`, { indent: '  ' }))]

const describeJob = (job: Job, schema: unknown, bold: (text: string) => string): string[] => [
  bold(oneLine(job.title)),
  '',
  ...job.description.split('\n').flatMap((line) => wrap(oneLine(line))),
  '',
  ...formatPairs([
    ['Job', job.id],
    ['Reward', `${job.rewardAmount} ${job.rewardAsset}`],
    ['State', `${job.effectiveState} (${job.reason})`],
    ['Tier', job.tier],
    ['Category', job.category],
    ['Time to submit', `${job.claimTtlSeconds} seconds after the claim`],
    ['Bond', job.onboardingWaiverEligible ? 'waived for the first claims of a wallet' : 'needed: agent-work preflight shows it'],
    ['Verifier', `${job.verifierMode}: ${job.settlement.description}`],
    ['Verifier terms', JSON.stringify(job.verifierConfig)],
    ['Output schema', job.submissionContract.outputSchemaUrl],
  ]),
  ...list('Acceptance criteria', job.acceptanceCriteria),
  ...list('Instructions', job.agentInstructions),
  ...(schema === undefined ? [] : ['', 'What a submission holds', ...describeSchema(schema)]),
  '',
  'Example of a submission',
  ...exampleText(job)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`),
]

/** Schema of the submission; undefined for a job without one. */
const findSchema = async (client: Client, { submissionContract }: Job, { output, signal }: Context): Promise<unknown> => {
  const name = /^schema:\/\/jobs\/(.+)$/.exec(submissionContract.outputSchemaRef)?.[1]
  if (output.isJson || name === undefined) return undefined
  try {
    return await client.getJobSchema({ name }, { signal })
  } catch (error) {
    if (isProblem(error) && error.status === 404) return undefined
    throw error
  }
}

/** `show`: one job, or the example of its submission. */
export const show = async (context: Context): Promise<Report> => {
  const { client, wallet } = await openPublic(context)
  const [jobId = ''] = context.arguments
  const job = await client.getJobDefinition({ jobId, wallet }, { signal: context.signal })
  const file = textOption(context.options, 'example')
  if (file === undefined) return { document: job, lines: describeJob(job, await findSchema(client, job, context), context.output.bold) }
  const { submission } = job.submissionContract.submitPayloadExample
  if (file === '-') return { document: submission, lines: [exampleText(job).trimEnd()] }
  if (!writeNewFile(file, exampleText(job))) throw usageError(`The file ${file} exists already and is not replaced.`)
  return { document: { file, submission }, lines: [`The example is in ${file}. Replace each <placeholder> in it.`] }
}

/** `preflight`: whether this wallet can claim, with what, and what stands against it. */
export const preflight = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const [jobId = ''] = context.arguments
  const found = await client.preflightJob({ jobId }, { signal: context.signal })
  const symbol = found.claimFundingAsset
  const money = (amount: string | null): string | null => (amount === null ? null : `${amount} ${symbol}`)
  const facts = { jobId, shortfall: found.claimFundingShortfall }
  const blockers = found.blockers.flatMap(({ code, message, nextActions }) => [
    ...wrap(oneLine(`- ${code}: ${message}`), { indent: '  ' }),
    ...describeActions(nextActions, facts, '      '),
  ])
  return {
    document: found,
    lines: [
      ...formatPairs([
        ['Job', found.jobId],
        ['Can be claimed', found.eligible ? 'yes' : `no: ${found.reason}`],
        ['Bond', found.claimEconomicsWaived === true ? `${money(found.totalClaimLock)} (waived)` : money(found.totalClaimLock)],
        ['Net reward', money(found.netReward)],
        ['Available balance', money(found.availableLiquidity)],
        ['Missing', found.claimFundingSufficient === false ? money(found.claimFundingShortfall) : null],
        ['Waived claims left', found.waiverSlotsRemaining === null ? null : String(found.waiverSlotsRemaining)],
        ['Time to submit', 'claimTtlSeconds' in found ? `${String(found.claimTtlSeconds)} seconds` : null],
        ['Opens to everyone', found.priorityWindow === undefined ? null : formatInstant(found.priorityWindow.openAt)],
      ]),
      ...(blockers.length === 0 ? [] : ['', 'What stands against it', ...blockers]),
      ...(found.eligible ? ['', `  agent-work claim ${found.jobId}`] : []),
    ],
  }
}
