import { z } from 'zod'
import { SourceFailure, type SourcePage } from '../source.ts'
import { parseCursor } from '../sources/shape.ts'

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

const Offset = z.int().min(0)

/** Place in a list, as the cursor of a page names it. Throws `SourceFailure` for another text. */
export const parseOffset = (cursor: string | null): number => parseCursor(Offset, cursor, 0)
