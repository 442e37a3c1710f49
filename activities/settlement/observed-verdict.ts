import { ON_CHAIN } from '../../domain/sessions/deciders.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { verdictItem } from '../../domain/sessions/verdict-items.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Database } from '../database/database.ts'
import { verdictRecordOf } from '../verification/evaluate.ts'
import { type StoredVerdict, storeVerdict } from '../verification/records.ts'
import type { VerdictOnChain } from './endings.ts'

/** Stores a verdict that another key gave directly on chain. A repeat stores nothing new. */
export const storeObservedVerdict = async (
  database: Database,
  session: SessionRecord,
  { txHash, at, approved, by, reasonHash }: VerdictOnChain,
  publicBaseUrl: string,
): Promise<StoredVerdict> => {
  const core = {
    handler: ON_CHAIN,
    handlerVersion: 1,
    outcome: approved ? ('approved' as const) : ('rejected' as const),
    score: approved ? 100 : 0,
    reasonCode: 'CHAIN_VERDICT_OBSERVED',
    items: [verdictItem('verifier_accepts', approved, '/txHash')],
    detail: `${approved ? 'Approved' : 'Rejected'} on chain by ${by} for the reason ${reasonHash}.`,
  }
  const record = { ...verdictRecordOf(session, pinnedDefinition(session.jobSnapshot), core, publicBaseUrl, at), verifier: by, txHash }
  return storeVerdict(database, session, { runId: session.sessionId, name: txHash, once: 'step' }, record, at)
}
