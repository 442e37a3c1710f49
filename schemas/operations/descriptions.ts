import { DISPUTE_MEMBERS } from '../disputes/descriptions.ts'
import { SESSION_MEMBERS } from '../sessions/descriptions.ts'

/** Members of each subject. A name means the same wherever it stands; a member that means more has a description of its own. */
const SUBJECTS: readonly Readonly<Record<string, string>>[] = [SESSION_MEMBERS, DISPUTE_MEMBERS]

/** Names of described members; a name stands in one subject only. */
export const DESCRIBED_NAMES: readonly string[] = SUBJECTS.flatMap((members) => Object.keys(members))

/** Description of a member by its name, for documents. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = Object.assign({}, ...SUBJECTS)
