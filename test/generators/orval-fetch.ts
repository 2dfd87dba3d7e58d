let send: typeof fetch = fetch

/** Sets the function with which the generated ones send their requests. */
export const sendWith = (other: typeof fetch) => {
  send = other
}

/** The functions of orval call this: the status says which type the body has. */
export async function portalFetch<T>(url: string, options: RequestInit): Promise<T> {
  const response = await send(url, options)
  const text = await response.text()
  const data: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, data } as T
}
