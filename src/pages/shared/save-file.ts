export function saveFile(name: string, text: string, type: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export const saveJson = (name: string, value: unknown) =>
  saveFile(name, JSON.stringify(value, null, 2), 'application/json')
