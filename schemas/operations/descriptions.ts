const SUBJECTS: readonly Readonly<Record<string, string>>[] = []

/** Names of described members; a name stands in one subject only. */
export const DESCRIBED_NAMES: readonly string[] = SUBJECTS.flatMap((members) => Object.keys(members))

/** Description of a member by its name, for documents. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = Object.assign({}, ...SUBJECTS)
