/** Runs a program and returns its exit code. Prints the message of a failure, whose code is 1; a program that returns nothing has ended well. */
export const runProgram = async (main: () => number | Promise<number> | Promise<void>): Promise<number> => {
  try {
    return (await main()) ?? 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}
