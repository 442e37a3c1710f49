import type { Answer, Input } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { formatAmount, formatInstant } from '../output/amounts.ts'
import { describeActions } from '../output/next-actions.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, formatTable, oneLine, wrap } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'
import { readWork } from '../service/work-file.ts'
import { assertDrafted, type Draft, fundingTerms } from './draft-checks.ts'
import { findDraft, type PosterRow, parseId } from './place.ts'

/** Cost of a draft and what a claim of it needs. */
export const describeCost = ({ fundingRequirement: cost, claimRequirement: claim, definition, expiresAt }: Draft): string[] => {
  const money = (raw: bigint): string => formatAmount({ raw, decimals: cost.decimals }, cost.asset)
  const { bond, exposure } = claim
  const vested = exposure.vestedPrincipalNeeded
  return formatPairs([
    ['Title', String(definition.title)],
    ['Reward', money(cost.rewardRaw)],
    ['Fee', money(cost.protocolFeeRaw)],
    ['Reserves', cost.opsReserveRaw + cost.contingencyReserveRaw === 0n ? null : money(cost.opsReserveRaw + cost.contingencyReserveRaw)],
    ['You pay in all', money(cost.posterReservedRaw)],
    ['Fund it before', formatInstant(expiresAt)],
    ['A claim needs', `tier ${claim.tier}, skill ${claim.skill}; ${claim.walletsWithSkill} wallets have it`],
    ['Its bond', bond.available ? formatAmount(bond.total, bond.total.asset) : null],
    ['And vested', vested.raw === 0n ? null : formatAmount(vested, vested.asset)],
  ])
}

/** `post draft`: asks for a quote of the definition in a file. */
export const draft = async (context: Context): Promise<Report> => {
  const [, file = '-'] = context.arguments
  const definition = await readWork(context, file)
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
    throw usageError('A definition is a JSON object.', 'agent-work help post')
  const { client, wallet } = await openSignedIn(context)
  const found = await client.draftJob({ definition: definition as Input<'draftJob'>['definition'] }, { signal: context.signal })
  fundingTerms(found, wallet)
  assertDrafted(found, definition)
  return {
    document: found,
    lines: [
      ...formatPairs([
        ['Draft', found.draftId],
        ['Job', found.jobId],
        ['Status', found.status],
      ]),
      ...describeCost(found),
      '',
      `  agent-work post rehearse ${found.draftId} FILE`,
      `  agent-work post fund ${found.draftId}`,
    ],
  }
}

type Rehearsal = Answer<'rehearseDraft'>['rehearsal']

const describeRehearsal = ({ submissions, placeholders, warnings }: Rehearsal, names: readonly string[]): string[] => {
  const paid = placeholders.filter(({ outcome }) => outcome === 'approved').map(({ kind }) => kind.replaceAll('_', ' '))
  return [
    ...formatTable<Rehearsal['submissions'][number]>(
      [
        { title: 'FILE', value: ({ index }) => names[index] ?? String(index), shrinks: true },
        { title: 'OUTCOME', value: ({ outcome }) => outcome },
        { title: 'SCORE', value: ({ score }) => (score === null ? '' : String(score)), align: 'right' },
        { title: 'REASON', value: ({ reasonCode }) => reasonCode },
      ],
      submissions,
    ),
    ...submissions.flatMap(({ detail }) => wrap(oneLine(detail), { indent: '  ' })),
    '',
    `Placeholders: ${placeholders.length} judged, ${paid.length === 0 ? 'none would be paid' : `these would be paid: ${paid.join(', ')}`}.`,
    ...warnings.flatMap(({ message }) => wrap(`Warning: ${oneLine(message)}`)),
  ]
}

/** `post rehearse`: has the verifier of a draft judge files of one's own. */
export const rehearse = async (context: Context): Promise<Report> => {
  const [, id = '', ...files] = context.arguments
  const draftId = parseId(id, 'DRAFT')
  const submissions: unknown[] = []
  for (const file of files) submissions.push(await readWork(context, file))
  const { client } = await openSignedIn(context)
  const answer = await client.rehearseDraft({ id: draftId, submissions }, { signal: context.signal })
  return { document: answer, lines: describeRehearsal(answer.rehearsal, files) }
}

/** `post list`: drafts and posted jobs of the wallet. */
export const list = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const rows: PosterRow[] = []
  for await (const row of client.paginate('listPosterJobs', { limit: 100 }, { signal: context.signal })) rows.push(row)
  const [head = '', ...table] = formatTable<PosterRow>(
    [
      { title: 'JOB', value: ({ jobId }) => jobId },
      { title: 'TITLE', value: ({ title }) => title, shrinks: true },
      { title: 'STATUS', value: ({ status, claimState }) => (claimState === null ? status : `${status}, ${claimState}`) },
    ],
    rows,
  )
  return {
    document: { jobs: rows },
    lines: rows.length === 0 ? ['This wallet has drafted no job. agent-work post draft FILE'] : [context.output.bold(head), ...table],
  }
}

/** The draft that the argument names, itself or by its job. Throws where the wallet has none. */
export const getDraft = async (context: Context, client: Parameters<typeof findDraft>[0]): Promise<Draft> => {
  const [, id = ''] = context.arguments
  const found = await findDraft(client, parseId(id, 'DRAFT'), context.signal)
  if (found === undefined) throw usageError('This wallet has no draft and no job with that id.', 'agent-work post list')
  return found
}

/** What the poster can do next, as lines. */
export const describeNext = ({ next, jobId, draftId }: Pick<Draft, 'next' | 'jobId' | 'draftId'>): string[] => [
  '',
  ...describeActions([next], { jobId, draftId }),
]
