import { condition, defineSignal, setHandler, sleep } from '@temporalio/workflow'

/** Sleeps seven days by the workflow's own clock and says when it woke. */
export const sleepSevenDays = async (): Promise<string> => {
  await sleep('7 days')
  return new Date().toISOString()
}

export const finish = defineSignal('finish')

/** A poll every thirty minutes, as of a code host, until it is ended; says how many there were. */
export const pollUntilFinished = async (): Promise<number> => {
  let finished = false
  let polls = 0
  setHandler(finish, () => {
    finished = true
  })
  while (!(await condition(() => finished, '30 minutes'))) polls += 1
  return polls
}
