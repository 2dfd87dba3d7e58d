/** Asks in a dialog. Resolves with undefined if the user cancels, with Escape. */
export function askForPassword(question: string): Promise<string | undefined> {
  const dialog = document.createElement('dialog')
  const form = Object.assign(document.createElement('form'), { method: 'dialog' })
  const label = Object.assign(document.createElement('label'), { textContent: `${question} ` })
  const input = document.createElement('input')
  Object.assign(input, { type: 'password', autocomplete: 'current-password' })
  label.append(input)
  const button = Object.assign(document.createElement('button'), { value: 'go' })
  button.textContent = 'Go on'
  form.append(label, button)
  dialog.append(form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'go' ? input.value : undefined)
    })
  })
}
