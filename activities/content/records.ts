import { sha256Of } from '../../domain/common/hashes.ts'
import type { ContentKey } from '../../schemas/content/process.ts'
import type { ContentType, ContentVerdict } from '../../schemas/content/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'

/** Stores a blob once for each owner; returns its hash. */
export const storeContent = async (
  rows: Rows,
  blob: { contentType: ContentType; payload: Readonly<Record<string, unknown>>; owners: readonly string[]; at: number },
): Promise<string> => {
  const hash = sha256Of(blob.payload)
  const { contentType, payload, at } = blob
  await rows
    .insertInto('content')
    .values([...new Set(blob.owners)].map((owner) => ({ hash, owner, contentType, payload, createdAt: at })))
    // A row that exists is locked until the transaction ends, so that no other transaction deletes it.
    .onConflict((conflict) => conflict.columns(['hash', 'owner']).doUpdateSet({ hash }))
    .execute()
  return hash
}

/** Makes a rationale of every owner public, without a chain event; a repeat keeps the first instant. `at` in epoch ms. */
export const publishRationale = async (rows: Rows, hash: string, at: number): Promise<void> => {
  await rows.updateTable('content').set({ publishedAt: at }).where('hash', '=', hash).where('publishedAt', 'is', null).execute()
}

/** Records the result of a verification on a submission. A pass is never replaced: the same work can pass in one session and fail in another. */
export const setContentVerdict = async (rows: Rows, { hash, owner }: ContentKey, verdict: ContentVerdict): Promise<void> => {
  await rows
    .updateTable('content')
    .set({ verdict })
    .where((is) => is.and({ hash, owner, contentType: 'submission' }))
    .where((is) => is.or([is('verdict', 'is', null), is('verdict', '=', 'fail')]))
    .execute()
}

/** Deletes a submission without verdict that nothing has published. */
export const deletePrivateContent = async (rows: Rows, { hash, owner }: ContentKey): Promise<void> => {
  await rows
    .deleteFrom('content')
    .where((is) => is.and({ hash, owner, contentType: 'submission' }))
    .where('verdict', 'is', null)
    .where('publishedAt', 'is', null)
    .execute()
}

/** Rows of a hash, one per owner. */
export const listContent = async (rows: Rows, hash: string): Promise<Tables['content'][]> =>
  rows.selectFrom('content').selectAll().where('hash', '=', hash).orderBy('owner').execute()

/** Blob of one owner. Throws if it does not exist. */
export const getContentOf = async (rows: Rows, { hash, owner }: ContentKey): Promise<Tables['content']> =>
  rows.selectFrom('content').selectAll().where('hash', '=', hash).where('owner', '=', owner).executeTakeFirstOrThrow()

const TEXT_OF = { dispute_rationale: 'rationale', dispute_statement: 'statement' } as const

/** Texts of one kind among these hashes, by hash, for readers who may see the dispute. */
const findTexts = async (rows: Rows, contentType: keyof typeof TEXT_OF, hashes: readonly string[]): Promise<Map<string, string>> => {
  if (hashes.length === 0) return new Map()
  const found = await rows
    .selectFrom('content')
    .select(['hash', 'payload'])
    .where('hash', 'in', hashes)
    .where('contentType', '=', contentType)
    .execute()
  return new Map(found.map(({ hash, payload }) => [hash, String(payload[TEXT_OF[contentType]])]))
}

/** Rationales of verdicts, by hash. */
export const findRationales = (rows: Rows, hashes: readonly string[]) => findTexts(rows, 'dispute_rationale', hashes)
/** Statements of workers, by hash. */
export const findStatements = (rows: Rows, hashes: readonly string[]) => findTexts(rows, 'dispute_statement', hashes)
