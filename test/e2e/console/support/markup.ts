// What a text in a page must not change.

/** Tags with the names of their attributes, in their order: what a text must not change. */
export const skeleton = (text: string): string[] => [...text.matchAll(/<[a-z/!][^>]*>/gi)].map(([tag]) => tag.replaceAll(/="[^"]*"/g, '='))

/** Isolates that a page leaves open, or ends that close none. A form sends its values as they are, so they have no isolates of the console. */
export const openIsolates = (text: string): number => {
  // A text in a picture stands alone.
  const shown = text
    .replaceAll(/<svg[^>]*>[\s\S]*?<\/svg>/g, '')
    .replaceAll(/ value="[^"]*"/g, '')
    .replaceAll(/<textarea[^>]*>[\s\S]*?<\/textarea>/g, '')
  let depth = 0
  for (const [mark] of shown.matchAll(/[\u2066-\u2069]/g)) {
    depth += mark === '\u2069' ? -1 : 1
    if (depth < 0) return depth
  }
  return depth
}
