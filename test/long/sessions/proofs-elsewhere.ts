import { read } from '../../repository/files.ts'

/** A test of another file, by its whole title. */
export interface TestReference {
  file: string
  title: string
}
const ofDisputes = (title: string): TestReference => ({ file: 'test/long/disputes/http.test.ts', title })
const verdictMoves = (verdict: string) => ofDisputes(`${verdict}: the preview foretells to the unit what the verdict moves`)

const CLAIM_ENDS: TestReference = {
  file: 'test/long/claims/deadlines.test.ts',
  title: 'costs half of the stake to the poster, the other half and the fee to the treasury',
}
const AFTER_FOURTEEN_DAYS = ofDisputes(
  'after fourteen days: the contract’s rule for the worker’s own dispute, half and the bond for what the platform left undecided',
)

/** Whether a file has a test of this title. `%s` in its title stands for the first value of a row of its table. */
export const hasTest = ({ file, title }: TestReference): boolean => {
  const text = read(file)
  const titles = [...text.matchAll(/(?:\btest|\))\(\s*'([^'\n]+)'/g)].map(([, found = '']) => found)
  return titles.some((found) => {
    const [before = '', after] = found.split('%s')
    if (after === undefined) return found === title
    const row = title.slice(before.length, title.length - after.length)
    return title === before + row + after && text.includes(`['${row}',`)
  })
}

/** Edges of the session graph that other tests prove with money: a test of another file, or a timer of every-transition.test.ts by its name. */
export const OTHER_EDGES: Record<string, TestReference | string> = {
  'claimed > expired': CLAIM_ENDS,
  'submitted > resolved': 'timer: a verification that was lost is started again after a day',
  'disputed > resolved': verdictMoves('dismissed'),
  'disputed > rejected': verdictMoves('upheld'),
  'disputed > closed': AFTER_FOURTEEN_DAYS,
}

/** Timers of the process catalogue (claimSession, verifierRun, dispute), and the test of another file that proves each with money. */
export const OTHER_TIMERS: Record<string, TestReference> = {
  'timer: the claim ends': CLAIM_ENDS,
  'timer: a rejection is final after seven days': ofDisputes('after seven days makes a rejection final and slashes the bond, to the unit'),
  'timer: a dispute of the worker ends by the rule of the contract': AFTER_FOURTEEN_DAYS,
  'timer: what the platform left undecided is halved': AFTER_FOURTEEN_DAYS,
  'timer: an unsigned verdict ends by the rule of the contract': {
    file: 'test/long/fleets/without-arbitrator-key.cases.ts',
    title:
      'after fourteen days: what people left undecided goes to the chain, an overturned rejection and an unsigned verdict end by the contract’s rule',
  },
}
