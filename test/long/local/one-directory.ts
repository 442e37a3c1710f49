// One state directory, on which one stack after another runs. A module that registers tests on it is imported by one-directory.test.ts.
import { useStateDirectory } from '../../local/support/directory.ts'

const ends: (() => Promise<unknown>)[] = []
export const dir = useStateDirectory(async () => {
  for (const end of ends) await end()
})
/** Ends what a test that failed left running in the directory. */
export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end)
