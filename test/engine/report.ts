export interface Part {
  name: string
  passed: boolean
  summary: string
  errors: string[]
  plans?: { sql: string; plan: string }[]
  seconds: number
}

/** In Markdown. */
export function reportOf(version: string, facts: Record<string, string>, parts: Part[]) {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const block = (text: string) => `\`\`\`\`text\n${text}\n\`\`\`\`\n`
  const lines = [
    '# Engine check\n',
    `portal ${version}, Node ${process.version}\n`,
    '| part | result | seconds | |\n| --- | --- | --- | --- |',
    ...parts.map(
      ({ name, passed, seconds, summary }) =>
        `| ${name} | ${passed ? 'passed' : '**failed**'} | ${seconds.toFixed(0)} | ${cell(summary)} |`
    ),
    '\n## Server\n\n| | |\n| --- | --- |',
    ...Object.entries(facts).map(([name, value]) => `| ${name} | ${cell(value)} |`)
  ]
  for (const { name, errors } of parts.filter(({ errors }) => errors.length > 0)) {
    lines.push(`\n## First errors: ${name}\n`, ...errors.map(block))
  }
  for (const { plans = [] } of parts) {
    if (plans.length === 0) continue
    lines.push('\n## Statements and their plans\n')
    lines.push(...plans.map(({ sql, plan }) => block(`${sql}\n\n${plan}`)))
  }
  return `${lines.join('\n')}\n`
}
