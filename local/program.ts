/** Runs a program. Prints the message of a failure, whose exit code is 1. */
export const runProgram = async <Code>(main: () => Code | Promise<Code>): Promise<Code | undefined> => {
  try {
    return await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
    return undefined
  }
}
