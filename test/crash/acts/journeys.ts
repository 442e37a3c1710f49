/** Where a run goes: to its badge without a bond or with one, to its deadline without any work on chain, or on after a verdict that is no approval. */
export type Kind =
  | 'waived'
  | 'bonded'
  | 'merged'
  | 'belated'
  | 'elsewhere'
  | 'denied'
  | 'corrected'
  | 'late'
  | 'expired'
  | 'split'
  | 'lapsed'
  | 'overturned'
  | 'undecided'
  | 'approved'
  | 'reminded'
  | 'refused'
  | 'unreviewed'
  | 'overdue'
  | 'unsigned'
  | 'superseded'
  | 'unanswered'
  | 'forsaken'
  | 'penniless'
  | 'upheld'

export const BADGE_KINDS = ['waived', 'bonded'] as const satisfies readonly Kind[]

/** Stretches of a run, as points are named; `kind` (null: one of those to a badge) and the act, counted from 0, in which each lies. */
const PHASES = {
  claim: { kind: null, act: 0 },
  submit: { kind: null, act: 0 },
  settle: { kind: null, act: 0 },
  /** A pull request that was held at its first look is merged. */
  look: { kind: 'merged', act: 1 },
  /** It is not merged in time. */
  recall: { kind: 'belated', act: 1 },
  /** It is merged while people are to decide. */
  later: { kind: 'belated', act: 2 },
  /** An external verifier approves directly on chain. */
  observe: { kind: 'elsewhere', act: 1 },
  /** An external verifier rejects directly on chain. */
  deny: { kind: 'denied', act: 1 },
  /** The worker's own key hands in other work on chain than the service is then given. */
  drop: { kind: 'corrected', act: 1 },
  /** What was accepted in time comes to the chain too late. */
  miss: { kind: 'late', act: 1 },
  /** Nothing is handed in. */
  expire: { kind: 'expired', act: 1 },
  /** The verifier's no, to its record. */
  reject: { kind: 'split', act: 0 },
  /** The worker's dispute, seen on chain. */
  dispute: { kind: 'split', act: 1 },
  /** The arbitrator's verdict. */
  arbitrate: { kind: 'split', act: 2 },
  /** The arbitrator's verdict, when it is a no. */
  uphold: { kind: 'upheld', act: 2 },
  /** The worker does not dispute a rejection in time. */
  lapse: { kind: 'lapsed', act: 1 },
  /** An operator takes a rejection back. */
  overturn: { kind: 'overturned', act: 1 },
  /** No arbitrator decides. */
  timeout: { kind: 'undecided', act: 2 },
  /** The verification asks people to review. */
  review: { kind: 'approved', act: 0 },
  /** Their verdict. */
  people: { kind: 'approved', act: 1 },
  /** They are waited for since a day. */
  remind: { kind: 'reminded', act: 1 },
  /** Theirs, when it is a no. */
  refuse: { kind: 'refused', act: 1 },
  /** They do not decide before the deadline. */
  unreviewed: { kind: 'unreviewed', act: 1 },
  /** No verifier has an answer in time. */
  overdue: { kind: 'overdue', act: 1 },
  /** An arbitrator decides what people were to decide, and no key of one is held. */
  prepare: { kind: 'unsigned', act: 1 },
  /** Another verdict is prepared in its place. */
  supersede: { kind: 'superseded', act: 2 },
  /** The arbitrator signs and sends the verdict itself. */
  sign: { kind: 'unsigned', act: 2 },
  /** People do not decide before the deadline, and the service holds no arbitrator's key. */
  appeal: { kind: 'unanswered', act: 1 },
  /** The arbitrator's key is gone before its verdict is on chain. */
  forsake: { kind: 'forsaken', act: 2 },
  /** The money for the bond is gone before the claim comes to the chain. */
  release: { kind: 'penniless', act: 0 },
} as const satisfies Record<string, { kind: Kind | null; act: number }>

export type Phase = keyof typeof PHASES

const phaseOf = ({ name }: { name: string }): (typeof PHASES)[Phase] => {
  const phase = name.split('/')[1] ?? ''
  if (!Object.hasOwn(PHASES, phase)) throw new Error(`no phase is named ${phase}`)
  return PHASES[phase as Phase]
}

/** The kind of run in which a point lies; null when it lies in both of those to a badge. */
export const kindOfPoint = (point: { name: string }): Kind | null => phaseOf(point).kind
/** The act of that run in which it lies. */
export const actOfPoint = (point: { name: string }): number => phaseOf(point).act

const TIMED: ReadonlySet<Kind | null> = new Set([
  'expired',
  'lapsed',
  'undecided',
  'refused',
  'unreviewed',
  'overdue',
  'late',
  'unanswered',
  'reminded',
  'belated',
])
const UNCONTESTED: ReadonlySet<Kind> = new Set([...BADGE_KINDS, 'merged', 'elsewhere', 'corrected', 'late', 'expired', 'penniless'])
const UNVERIFIED: ReadonlySet<Kind> = new Set(['late', 'expired'])
const UNHELD: ReadonlySet<Kind | null> = new Set(['unsigned', 'superseded', 'unanswered'])
const SOLITARY: ReadonlySet<Kind | null> = new Set(['late', 'belated', 'forsaken', 'penniless'])

/** True for a run that waits for a deadline: whatever else is under way would be moved with it. */
export const isTimed = (kind: Kind | null): boolean => TIMED.has(kind)
/** True for a run whose services hold no key of an arbitrator. */
export const isUnheld = (kind: Kind | null): boolean => UNHELD.has(kind)
/** True for a run that would spoil others of its own kind, or be held up by their kills on its way through two days of timers. */
export const isSolitary = (kind: Kind | null): boolean => SOLITARY.has(kind)
/** True for a run beside which none of another kind may be under way. */
export const isApart = (kind: Kind | null): boolean => isTimed(kind) || isUnheld(kind) || isSolitary(kind)
export const APART_KINDS = [...new Set([...TIMED, ...UNHELD, ...SOLITARY])].filter((kind) => kind !== null)
/** True for a run that goes on after its verdict. */
export const isContested = (kind: Kind): boolean => !UNCONTESTED.has(kind)
/** True for a run whose work a verifier looks at. */
export const isVerified = (kind: Kind): boolean => !UNVERIFIED.has(kind)
