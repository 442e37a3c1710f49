import { SourceFailure, type SourcePage } from '../source.ts'

/**
 * Reads entries one after the other into a page. Where the budget of the run ends in its middle, the page ends with the last entry that was
 * read, and `cursorAt` names the next one. Throws `SourceFailure` where it ends before the first.
 */
export async function readEntries<Entry, Item>(
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<Item>,
  cursorAt: (index: number) => string | null,
): Promise<SourcePage<Item>> {
  const items: Item[] = []
  for (const entry of entries) {
    try {
      items.push(await read(entry))
    } catch (error) {
      if (!(error instanceof SourceFailure) || items.length === 0) throw error
      break
    }
  }
  return { items, next: cursorAt(items.length) }
}

/** A cursor that is a whole number from 0. Throws for another one: no client wrote it. */
export function parseOffset(cursor: string | null): number {
  const offset = cursor === null ? 0 : Number(cursor)
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Error('the cursor is of another source')
  return offset
}
