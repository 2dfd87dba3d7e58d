const advice: Record<string, string> = {
  connect:
    'Check host and port in MAIL_URL, that the server is running, and that no firewall blocks ' +
    'the connection.',
  tls:
    'With smtp:// the server must offer STARTTLS, with smtps:// TLS from the start, and its ' +
    'certificate must be valid for the host in MAIL_URL. To trust a private certificate ' +
    'authority, set NODE_EXTRA_CA_CERTS.',
  auth: 'Check user and password in MAIL_URL. Special characters must be percent-encoded.',
  timeout: 'Check host and port in MAIL_URL: usually, port 587 needs smtp:// and port 465 smtps://.'
}

/** What an operator can do about an error of the mail server. */
export const adviceOn = (error: string) =>
  advice[error] ??
  'The server refused it and says why. Often the account may not send for the address in MAIL_FROM.'
