import type { Logger } from 'pino'
import type { SignerRole } from '../../activities/chain/clients.ts'
import type { Transactions } from '../../activities/chain/journal/send.ts'
import { brief } from '../observability/error-line.ts'

/** Resends a signer's unmined transactions and reconciles journal and chain. A refusal is logged; the nonce keeper retries and raises the alarm. */
export const catchUp = async (transactions: Transactions, role: SignerRole, logger: Pick<Logger, 'warn'>): Promise<void> => {
  const { sentCount, refused } = await transactions.resend(role)
  if (sentCount > 0) logger.warn({ role, resent: sentCount }, 'transactions without a receipt were sent again')
  if (refused) {
    const { intentKey, nonce, txHash } = refused.row
    logger.warn({ role, intentKey, nonce, txHash, reason: brief(refused.error) }, 'a transaction is refused by every write address')
  }
  const { nextNonce, chainPending } = await transactions.reconcile(role)
  if (nextNonce !== chainPending)
    logger.warn(
      { role, nextNonce, chainPending },
      'the next nonce differs between journal and chain; the activity that waits for a nonce used elsewhere finds it',
    )
}
