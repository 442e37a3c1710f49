/** Runs what is handed in one after the other, in that order, however each ends. */
export const createTurns = (): (<T>(act: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const turn = last.then(act)
    last = turn.catch(() => undefined)
    return turn
  }
}
