import { sleep } from '../../src/timing.ts'
import type { Answer } from '../../src/types.ts'
import { assertCall, type BuiltTransaction, chainJobId, word } from '../chain/calls.ts'
import { nativeSigner, reportNativeCalls } from '../chain/native-calls.ts'
import { followEarlier } from '../chain/pending.ts'
import { POLL_MS } from '../chain/rpc.ts'
import { sendAll } from '../chain/send.ts'
import { openWallet, type Wallet } from '../chain/wallet.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs } from '../output/text.ts'
import { openSignedIn, type SignedIn } from '../service/open.ts'
import { findSessionId } from '../service/sessions.ts'

type SessionState = Answer<'getSession'>

const OPEN_DISPUTE = 'openDispute(bytes32)'

/** The transaction of the session's next actions. */
const findTransaction = ({ nextActions }: SessionState): BuiltTransaction | undefined => {
  const { to, data, value, chainId, function: name } = nextActions.find(({ kind }) => kind === 'transaction')?.transaction ?? {}
  if (typeof to !== 'string' || typeof data !== 'string' || typeof chainId !== 'number' || name !== OPEN_DISPUTE) return undefined
  return { step: 'dispute', to, data, value: typeof value === 'string' ? value : undefined, chainId }
}

/** Waits until the service has seen the transaction. */
const awaitDisputed = async ({ client }: SignedIn, sessionId: string, signal: AbortSignal): Promise<SessionState> => {
  for (;;) {
    const session = await client.getSession({ sessionId }, { signal })
    if (session.status !== 'rejected') return session
    await sleep(POLL_MS, signal)
  }
}

const describe = (session: SessionState, transactions: readonly object[]): Report => ({
  document: { session, transactions },
  lines: [
    ...formatPairs([
      ['Session', session.sessionId],
      ['Status', session.status],
      ['Dispute', session.status === 'pending' ? null : session.disputeId],
      ['Decided by', session.status === 'pending' || session.deadline === undefined ? null : formatInstant(session.deadline)],
    ]),
    '',
    `  agent-work watch ${session.jobId}`,
  ],
})

/** `dispute`: opens the dispute of a rejection on chain. */
export const dispute = async (context: Context): Promise<Report> => {
  const { signal } = context
  const signedIn = await openSignedIn(context)
  const sessionId = await findSessionId(signedIn.client, context)
  const session = await signedIn.client.getSession({ sessionId }, { signal })
  if (session.status === 'disputed') return describe(session, [])
  const transaction = findTransaction(session)
  if (transaction === undefined || session.status !== 'rejected')
    throw refused(`The session is ${session.status} and cannot be disputed. Nothing was sent.`)
  const call = `dispute the rejection of ${session.jobId}`
  const check = ({ address, chainId }: Pick<Wallet, 'address' | 'chainId'>): void =>
    assertCall(transaction, { signature: OPEN_DISPUTE, words: [word(chainJobId(session.jobId))], wallet: address, chainId })
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, signal)
    check(signer)
    return reportNativeCalls(signedIn.native, signer.address, [{ ...transaction, call }])
  }
  const wallet = await openWallet(context, signedIn)
  check(wallet)
  const purpose = `dispute ${sessionId}`
  const earlier = await followEarlier(wallet, purpose)
  const sent: object[] =
    earlier === undefined ? await sendAll(wallet, purpose, [{ ...transaction, call }]) : [{ step: earlier.step, hash: earlier.hash }]
  const disputed = await awaitDisputed(signedIn, sessionId, signal)
  wallet.file.remove()
  return describe(disputed, sent)
}
