import { sha256Of } from '../../domain/common/hashes.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'

/** Stores a blob once for each owner; returns its hash. */
export const storeContent = async (
  rows: Rows,
  blob: { contentType: string; payload: Record<string, unknown>; owners: readonly string[]; at: number },
): Promise<string> => {
  const hash = sha256Of(blob.payload)
  const { contentType, payload, at } = blob
  await rows
    .insertInto('content')
    .values(
      [...new Set(blob.owners)].map((owner) => ({ hash, owner, contentType, payload, verdict: null, createdAt: at, publishedAt: null })),
    )
    .onConflict((conflict) => conflict.columns(['hash', 'owner']).doNothing())
    .execute()
  return hash
}

/** Makes a blob of every owner public; a repeat keeps the first instant. `at` in epoch ms. */
export const publishContent = async (rows: Rows, hash: string, at: number): Promise<void> => {
  await rows.updateTable('content').set({ publishedAt: at }).where('hash', '=', hash).where('publishedAt', 'is', null).execute()
}

/** Rows of a hash, one per owner. */
export const listContent = async (rows: Rows, hash: string): Promise<Tables['content'][]> =>
  rows.selectFrom('content').selectAll().where('hash', '=', hash).orderBy('owner').execute()

/** Rationales of verdicts among these hashes, by hash, for readers who may see the dispute. */
export const findRationales = async (rows: Rows, hashes: readonly string[]): Promise<Map<string, string>> => {
  if (hashes.length === 0) return new Map()
  const found = await rows
    .selectFrom('content')
    .select(['hash', 'payload'])
    .where('hash', 'in', hashes)
    .where('contentType', '=', 'dispute_rationale')
    .execute()
  return new Map(found.map(({ hash, payload }) => [hash, String(payload.rationale)]))
}
