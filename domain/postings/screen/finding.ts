/** One reason to refuse a listing. */
export interface Finding {
  /** JSON pointer into the definition; empty for the whole of it. */
  pointer: string
  /** Name of the rule, in snake case. */
  rule: string
  /** The limit that the value exceeds, in the unit of the rule. */
  limit?: number
  /** Sentence for the poster. */
  message: string
}

/** A text of the definition: a string, or the name of a member. */
export interface ListingText {
  pointer: string
  value: string
  isName: boolean
}
