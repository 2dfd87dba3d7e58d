/** Has the test runner print a line now. What a test writes appears when its file has ended. */
export function tellProgress(text: string) {
  process.send?.({ progress: text })
}
