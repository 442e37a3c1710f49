// Sentences about a record: texts with ids and instants, which each reader shows in its own way.

export type Piece = string | { readonly id: string } | { readonly at: string }
export type Sentence = readonly Piece[]

/** Template of a sentence. */
export const sentence = (texts: TemplateStringsArray, ...values: (Piece | Sentence)[]): Sentence =>
  texts.flatMap((text, place) => [text, ...(place < values.length ? [values[place] ?? ''].flat() : [])])

const textOfPiece = (piece: Piece): string => {
  if (typeof piece === 'string') return piece
  return 'id' in piece ? piece.id : piece.at
}

/** A sentence as one text, with ids and instants as the record has them. */
export const plainText = (pieces: Sentence): string => pieces.map(textOfPiece).join('')

const HUMAN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** An instant for people. */
export const humanInstant = (iso: string): string => `${HUMAN.format(new Date(iso))} UTC`
