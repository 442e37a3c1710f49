import { readFileSync } from 'node:fs'
import { runAudit } from '../../activities/audit/run.ts'
import { createScanClient } from '../../activities/chain/clients.ts'
import { loadSigningKey } from '../../activities/common/document-signing.ts'
import type { Database } from '../../activities/database/database.ts'
import { stateFiles } from '../../local/files.ts'
import type { AuditResult } from '../../schemas/audit/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { followerAtHead } from './follower-head.ts'

/** Far enough behind the last act of a test that records and chain have settled. */
const LATER_MS = 400 * 24 * 3_600_000

/** Checks of an audit of a stack that do not pass, once everything on its chain is recorded. */
export const auditStack = async (
  world: { dir: string; chain: ChainFile; database: Database } & Parameters<typeof followerAtHead>[0],
): Promise<AuditResult[]> => {
  await followerAtHead(world)
  const readKey = () => loadSigningKey(readFileSync(stateFiles(world.dir).receiptKey, 'utf8'), 'badge')
  const { database, chain } = world
  const now = () => Date.now() + LATER_MS
  const { results } = await runAudit({ database, chain, client: createScanClient(chain), readKey, now })
  return results.filter(({ outcome }) => outcome !== 'passed')
}
