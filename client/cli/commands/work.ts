import { buffer } from 'node:stream/consumers'
import { parseJson } from '../../src/json.ts'
import type { Answer, Client } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { confirm } from '../key/prompt.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, oneLine, wrap } from '../output/text.ts'
import { openPublic, openSignedIn } from '../service/open.ts'
import { findSessionId, LIVE } from '../service/sessions.ts'
import { FILE_LIMIT, readFileIfThere, readText } from '../state/files.ts'
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

/** `claim`: asks, then repeats until the chain has it. */
export const claim = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const [jobId = ''] = context.arguments
  await confirmBond(client, context)
  const session = await client.claimJob({ jobId }, { signal: context.signal })
  const file = textOption(context.options, 'example')
  if (file !== undefined) context.output.note(await writeExample(context, file, jobId))
  const { claimEconomicsWaived: isWaived, totalClaimLock, badgeSnapshot } = session
  const asset = typeof badgeSnapshot.rewardAsset === 'string' ? ` ${badgeSnapshot.rewardAsset}` : ''
  return {
    document: session,
    lines: [
      ...formatPairs([
        ['Session', session.sessionId],
        ['Status', session.status],
        ['Submit by', formatInstant(session.claimExpiresAt)],
        ['Bond', isWaived ? 'waived' : `${totalClaimLock}${asset} locked until the verdict`],
        ['Net reward', `${session.gasRetention.netReward}${asset}`],
      ]),
      '',
      `  agent-work submit ${session.jobId} ${file ?? 'FILE'}`,
    ],
  }
}

const readInput = async ({ signal, output }: Context): Promise<Buffer> => {
  if (process.stdin.isTTY) output.note('Type the work, and end it with Ctrl-D on an empty line.')
  const stop = (): void => void process.stdin.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const bytes = await buffer(process.stdin)
    if (bytes.length > FILE_LIMIT) throw usageError(`The work is larger than ${FILE_LIMIT} bytes.`)
    return bytes
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const readWork = async (context: Context, file: string): Promise<unknown> => {
  const text = file === '-' ? readText(await readInput(context), 'Standard input') : readFileIfThere(file)
  if (text === undefined) throw usageError(`The file ${file} does not exist.`)
  if (context.options.text === true) return text.replace(/\r?\n$/, '')
  const work = parseJson(text)
  if (work === undefined)
    throw usageError(`${file === '-' ? 'Standard input' : file} is not JSON.`, 'For a job without a schema, add --text.')
  return work
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
  const { client } = await openSignedIn(context)
  const { signal } = context
  const [, file = '-'] = context.arguments
  const submission = await readWork(context, file)
  assertFilled(submission)
  const sessionId = await findSessionId(client, context)
  const session = await client.submitWork({ sessionId, submission }, { signal })
  if (context.options.watch === true) return followSession(context, client, sessionId)
  return {
    document: session,
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
