import type { Answer, Client } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import { requestWithOwnTransactions } from '../chain/self-paid.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { confirm } from '../key/prompt.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, oneLine, wrap } from '../output/text.ts'
import { openPublic, openSignedIn } from '../service/open.ts'
import { findSessionId, jobIdOf, LIVE } from '../service/sessions.ts'
import { readWork } from '../service/work-file.ts'
import { exampleText, findPlaceholders, writeNewFile } from './example-file.ts'
import { followSession } from './watch.ts'

const writeExample = async (context: Context, file: string, jobId: string): Promise<string> => {
  const { client, wallet } = await openPublic(context)
  const job = await client.getJobDefinition({ jobId, wallet }, { signal: context.signal })
  return writeNewFile(file, exampleText(job))
    ? `The example of a submission is in ${file}: replace each <placeholder> in it.`
    : `${file} exists already and is kept as it is.`
}

/** Asks before a claim locks a bond, also where the service would refuse it now: that may change. A claim that is made already locks none. */
const confirmBond = async (client: Client, { options, arguments: [jobId = ''], signal }: Context): Promise<void> => {
  if (options.yes === true) return
  const { sessions } = await client.listSessions({ jobId }, { signal })
  if (sessions.some(({ status }) => LIVE.includes(status))) return
  const { totalClaimLock, totalClaimLockRaw, claimFundingAsset } = await client.preflightJob({ jobId }, { signal })
  if (totalClaimLockRaw === 0n) return
  const bond = totalClaimLockRaw === null ? 'a bond that is not known now' : `a bond of ${totalClaimLock} ${claimFundingAsset}`
  await confirm(`The claim locks ${bond} until the verdict. Claim?`, {
    reason: `The claim locks ${bond}, and there is no terminal to ask at. Add --yes to claim without asking.`,
    outcome: 'Nothing was claimed.',
    signal,
  })
}

/** Answer of a request with the transactions that were sent for it, if there were any. */
const withTransactions = (answer: object, transactions: readonly object[]): object =>
  transactions.length === 0 ? answer : { ...answer, transactions }

/** `claim`: asks, then repeats until the chain has it. */
export const claim = async (context: Context): Promise<Report> => {
  const signedIn = await openSignedIn(context)
  const { client } = signedIn
  const [jobId = ''] = context.arguments
  const responsiblePerson = textOption(context.options, 'responsible-person')
  await confirmBond(client, context)
  const step = { kind: 'claim', jobId, purpose: `claim ${jobId}` } as const
  const outcome = await requestWithOwnTransactions(context, signedIn, step, () =>
    client.claimJob({ jobId, ...(responsiblePerson !== undefined && { responsiblePerson }) }, { signal: context.signal }),
  )
  if ('calls' in outcome) return outcome.calls
  const { answer: session, transactions } = outcome
  const file = textOption(context.options, 'example')
  if (file !== undefined) context.output.note(await writeExample(context, file, jobId))
  const { claimEconomicsWaived: isWaived, totalClaimLock, badgeSnapshot } = session
  const asset = typeof badgeSnapshot.rewardAsset === 'string' ? ` ${badgeSnapshot.rewardAsset}` : ''
  return {
    document: withTransactions(session, transactions),
    lines: [
      ...formatPairs([
        ['Session', session.sessionId],
        ['Status', session.status],
        ['Not admitted', session.refusedBy === undefined ? null : `${session.refusedBy.message} Work of this claim is rejected.`],
        ['Submit by', formatInstant(session.claimExpiresAt)],
        ['Bond', isWaived ? 'waived' : `${totalClaimLock}${asset} locked until the verdict`],
        ['Net reward', `${session.gasRetention.netReward}${asset}`],
      ]),
      '',
      `  agent-work submit ${session.jobId} ${file ?? 'FILE'}`,
    ],
  }
}

const assertFilled = (work: unknown): void => {
  const found = findPlaceholders(work)
  if (found.length > 0)
    throw usageError(
      `The work still holds placeholders of the example at ${found.map((at) => at || 'its root').join(', ')}. Nothing was sent.`,
    )
}

const describeValidation = (found: Answer<'validateSubmission'>): string[] => {
  const { valid, submitSafe, code, message, errors = [], warnings = [], disclosure } = found
  const remarks = [
    ...errors.map((error) => `${error.pointer}: ${error.message}`),
    ...warnings.map((warning) => `Warning: ${warning.message}`),
    ...(disclosure === undefined ? [] : [disclosure.hint]),
  ]
  const verdict = valid
    ? `The submission has the right shape${submitSafe ? '.' : ', and the verifier would reject it.'}`
    : `The submission would be refused: ${oneLine(message ?? code ?? 'it is not valid')}`
  return [verdict, ...remarks.flatMap((remark) => wrap(oneLine(remark), { indent: '  ' }))]
}

/** `validate`: checks work against the terms of a job. */
export const validate = async (context: Context): Promise<Report> => {
  const [jobId = '', file = '-'] = context.arguments
  const submission = await readWork(context, file)
  const { client } = await openPublic(context)
  const found = await client.validateSubmission({ jobId, submission }, { signal: context.signal })
  const placeholders = findPlaceholders(submission)
  const isSafe = found.valid && found.submitSafe
  const notes = placeholders.length === 0 ? [] : [`It still holds placeholders of the example: ${placeholders.join(', ')}`]
  return { document: found, lines: [...describeValidation(found), ...notes], exit: isSafe ? 0 : 1 }
}

/** `submit`: sends the work of a session. */
export const submit = async (context: Context): Promise<Report> => {
  const signedIn = await openSignedIn(context)
  const { client } = signedIn
  const { signal } = context
  const [, file = '-'] = context.arguments
  const submission = await readWork(context, file)
  assertFilled(submission)
  const sessionId = await findSessionId(client, context)
  const step = { kind: 'submit', jobId: jobIdOf(sessionId), purpose: `submit ${sessionId}` } as const
  const outcome = await requestWithOwnTransactions(context, signedIn, step, () => client.submitWork({ sessionId, submission }, { signal }))
  if ('calls' in outcome) return outcome.calls
  const { answer: session, transactions } = outcome
  if (context.options.watch === true) return followSession(context, client, sessionId)
  return {
    document: withTransactions(session, transactions),
    lines: [
      ...formatPairs([
        ['Session', session.sessionId],
        ['Status', session.status],
        ['Evidence hash', session.evidenceHash],
      ]),
      '',
      `  agent-work watch ${session.jobId}`,
    ],
  }
}
