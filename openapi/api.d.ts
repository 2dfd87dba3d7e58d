// Generated from portal.dev.json, and the operations of portal console, by npm run generate.

export interface paths {
    "/api/auth/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in options
         * @description Returns the settings that an app needs to show its pages for registration, sign-in and recovery. They depend on the configuration only.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an account
         * @description Creates an account with the role `user`. Does not sign the user in: no session starts and no cookie is set. Only a bcrypt hash of the password is stored. Where e-mail addresses must be confirmed, the account is created when its owner confirms the address with the link that is sent to it, and a registered address gets the same response.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an e-mail address
         * @description Confirms the address of a registration, or of an account that signed in without a confirmed address, and signs in. It takes the token of the link and the password that was chosen, so that neither a program that opens the link nor a stranger who opens the mail can confirm. Five wrong passwords invalidate the token.
         */
        post: operations["confirmAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Starts a session and sets its cookie. If the request carries the cookie of an active session, the new session replaces it. An unknown e-mail address, a wrong password and a deactivated account are rejected alike, with the same response after the same work. If the account needs a second factor, the response is 202 and `verifyLogin` completes the sign-in. An account whose deletion its user has planned is restored with `restore`, once the sign-in is complete.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with a second factor
         * @description Accepts a code from the authenticator app or a recovery code, with the login cookie that `login` or `confirmAddress` set with status 202. Each code is accepted once. After five wrong codes the user must begin again with the password.
         */
        post: operations["verifyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in that waits for a second factor
         * @description Returns what `login` returns with status 202, for a page that a provider has led the browser to. It reads the login cookie.
         */
        get: operations["getPendingLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description Returns the options for `navigator.credentials.get`. They list no passkeys: the user chooses one of those that the device has for this host.
         */
        post: operations["getPasskeySignInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the provider for an e-mail address
         * @description Returns the provider that speaks for the domain of the address. Only the domain is looked at, so the response reveals nothing about accounts.
         */
        post: operations["findProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a provider
         * @description Returns the URL at the provider to which the app leads the browser, as with `location.assign(url)`, and sets a cookie for this attempt, which is valid for ten minutes. The provider leads back to the portal, which leads the browser to `returnTo`; or to `errorTo` with the query parameters `problem`, a problem code or `second-factor-due`, and `provider`. After `second-factor-due`, `getPendingLogin` and `verifyLogin` complete the sign-in. `link` and `reauthenticate` are for signed-in users.
         */
        post: operations["beginProviderFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers/{key}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lead back from a provider
         * @description The redirect URI of the provider. Reads no cookie and changes nothing: it is a page that leads on to `finish`, with which browsers send the cookies of the portal.
         */
        get: operations["showProviderCallback"];
        put?: never;
        /**
         * Lead back from a provider that sends a form
         * @description The redirect URI of the provider. Reads no cookie and changes nothing: it is a page that leads on to `finish`, with which browsers send the cookies of the portal.
         */
        post: operations["postProviderCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers/{key}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a sign-in with a provider
         * @description For browsers, which come from the callback of this provider. Verifies what the provider says, and does what the attempt is for. Refusals lead to `errorTo` of the attempt, with their code as `problem`. Codes that other operations do not have: `account-exists`, `flow-expired`, `provider-account-taken`, `provider-email-missing`, `sign-in-refused`, `too-many-providers`.
         */
        get: operations["finishProviderFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers/{key}/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a user out on behalf of a provider
         * @description For providers: ends the sessions that began with an account there, as OpenID Connect Back-Channel Logout 1.0 describes it. Each logout token counts once.
         */
        post: operations["logoutByProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description Starts a session and sets its cookie. A passkey counts as two factors, so the session has assurance 2. After `unknown-passkey` the app can tell the browser to delete the passkey from the device. `restore` is as for `login`.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a link to set a new password
         * @description Sends a link to the owner of the account with this e-mail address. The response is the same if there is none: then nothing is sent. The link is valid for 30 minutes.
         */
        post: operations["requestRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/recovery/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a link
         * @description Sets a new password and ends every session of the user, and with a mailed link the API keys that a session with one proved factor created in the last 72 hours. Does not sign in. Second factors stay, unless this is the first proof that the address belongs to the user: then whatever was added before is removed. A password that is not acceptable leaves the link valid.
         */
        post: operations["recoverAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an account before it is deleted
         * @description Cancels the deletion that the user has planned, with the token of the link in the mail about it. Does not sign in. The link is valid until the account is deleted.
         */
        post: operations["restoreAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/keys/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke all API keys of a user with a link
         * @description Revokes every API key of the user, with the token of the link in the mail about a new password that lists them. Does not sign in. The link is valid for 72 hours.
         */
        post: operations["endKeysByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an account back after its e-mail address was changed
         * @description Restores the address that the link was sent to, sets a new password, ends every session of the user, and removes the second factors and recovery codes that were added since the change. Older factors stay. Does not sign in. The link is valid for 72 hours after the change.
         */
        post: operations["revertEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/factors/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an account back after somebody added a second factor
         * @description Does the same as `revertEmail`, with the link in the mail about a second factor that was added with the password alone: removes this factor and what was added since, restores the address that the link was sent to if it was changed since, sets a new password and ends every session of the user. Does not sign in. The link is valid for 72 hours after the factor was added.
         */
        post: operations["revertFactors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current session, if there is one
         * @description Returns the same as `getMe`, or nulls when nobody is signed in. An app can call it at every start without causing an error in the browser console.
         */
        get: operations["getCurrentSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description Returns the signed-in user with roles and permissions, and the session of the cookie. The response always reflects the current state.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a request to another service
         * @description For proxies and services behind the same host: says whether the request that is described by the headers comes from a signed-in user, and who they are. Pass on `Cookie`, `Origin` and `Sec-Fetch-Site` of the original request, and name its method. With `accept=key`, also pass on `Authorization`: an API key in it is admitted in place of a session. The response is valid for this moment only: do not cache it. Proxies drop the body of a refusal, so the header `Portal-Problem` repeats it.
         */
        get: operations["checkSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reauthenticate/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to authenticate again with a passkey
         * @description Returns the options for `navigator.credentials.get`, with the passkeys of the user. Send the response to `reauthenticate`.
         */
        post: operations["getPasskeyProofOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticate again
         * @description Accepts the password, a code from the authenticator app, or a passkey (with the options from `/api/auth/reauthenticate/options`). Some changes require an authentication in the last ten minutes, and are otherwise rejected with 403 `reauthentication-required`. A second factor also raises the assurance of the session to 2. The session gets a new cookie: the previous one is no longer valid. If the account needs a second factor, the password is not accepted.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie and clears the cookie. The response is the same when there is no cookie or it is no longer valid. If the end of the session cannot be stored, the cookie is kept so that the request can be repeated.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user's profile
         * @description Returns the profile of the signed-in user. Fields that are not set are null.
         */
        get: operations["getOwnProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the current user's profile
         * @description Applies a merge patch: omitted fields keep their value, null clears a field. URLs are stored and never fetched.
         */
        patch: operations["updateOwnProfile"];
        trace?: never;
    };
    "/api/user/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the current user's name
         * @description Changes the display name. Leading and trailing whitespace is trimmed.
         */
        put: operations["setOwnName"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/theme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the current user's theme
         * @description Changes the theme of the app for this user, on all of their devices.
         */
        put: operations["setOwnTheme"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current user's activity records
         * @description Returns the actions of the user and the actions on their account, newest first by default. Records of actions by other users or by operators omit the actor, the IP address and the user agent. Records of anonymous callers, such as a failed login, include the address and the user agent.
         */
        get: operations["listOwnActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user settings of the signed-in user
         * @description Returns the user settings of the signed-in user, with the defaults of the app. User settings are what the app lets the user choose. Values that `SETTINGS_SCHEMA` no longer accepts are left out.
         */
        get: operations["getOwnSettings"];
        /**
         * Replace the user settings of the signed-in user
         * @description Removes what is left out, which then has the default of the app again.
         */
        put: operations["replaceOwnSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the user settings of the signed-in user
         * @description Applies a merge patch (RFC 7396): what is left out keeps its value, null removes a property, and a list is replaced. `SETTINGS_SCHEMA` says what is allowed.
         */
        patch: operations["updateOwnSettings"];
        trace?: never;
    };
    "/api/user/settings/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the schema of the settings
         * @description Returns what `SETTINGS_SCHEMA` allows, for a page that makes a form of it.
         */
        get: operations["getSettingsSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/app-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the app settings of the signed-in user
         * @description Returns the app settings of the signed-in user, with the defaults of the app. Only services and operators write them, so the app may trust them. Values that `SETTINGS_SCHEMA` no longer accepts are left out.
         */
        get: operations["getOwnAppSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current user's sessions
         * @description Returns the active sessions of the signed-in user. `current` marks the session of this request.
         */
        get: operations["listOwnSessions"];
        put?: never;
        post?: never;
        /**
         * Revoke the current user's other sessions
         * @description Ends every session of the signed-in user except the session of this request.
         */
        delete: operations["revokeOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of the current user's sessions
         * @description Ends a session of the signed-in user. Revoking the session of this request also clears the cookie.
         */
        delete: operations["revokeOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user's e-mail address
         * @description Returns the address, whether the user has confirmed it, and the new address while a change is not confirmed yet.
         */
        get: operations["getOwnEmail"];
        /**
         * Set the current user's e-mail address
         * @description Changes the e-mail address that the user signs in with. Requires the current password or a recent authentication; only the latter counts if the account needs a second factor. Where the portal sends mail, the address changes once the user has confirmed the new one with the link that is sent to it. The response is the same when another account has the address. Setting the current address cancels a change that is not confirmed yet.
         */
        put: operations["setOwnEmail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/email/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the link that confirms the e-mail address
         * @description Sends a link to the current e-mail address of the user.
         */
        post: operations["requestVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an e-mail address of the current user
         * @description Confirms the address that the link was sent to, and makes it the address of the account if it is a new one. The old address gets a link to restore it. A new address of an account that needs a second factor requires a recent authentication.
         */
        post: operations["confirmOwnEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user's sign-in methods
         * @description Returns how the user can sign in, which second factors they have, and which of their roles require one.
         */
        get: operations["getSecurity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/security/enrolment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the link to set up the first second factor
         * @description Sends a link to the confirmed e-mail address of the user. It is required when a role of the user requires a second factor and they have none, because a password alone must not be enough to set one up. The link is valid for 24 hours. None is sent for 72 hours after the password was set with a link from a mail: then an administrator can create one.
         */
        post: operations["requestEnrolmentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up an authenticator app
         * @description Creates a secret for the app (RFC 6238: SHA-1, 6 digits, 30 seconds), which `confirmTotp` puts into use. Until then, an app that was set up before keeps working. A second call in the same session replaces the secret of the first; other sessions can neither confirm it nor replace it. Requires a recent authentication and, where mail is sent, a confirmed e-mail address.
         */
        post: operations["beginTotp"];
        /**
         * Remove the authenticator app
         * @description Ends every other session of the user. With the last second factor, the recovery codes are deleted as well, and the assurance of the session becomes 1. Requires a recent authentication.
         */
        delete: operations["removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an authenticator app with its first code
         * @description Puts the app into use: from now on, signing in with the password also requires a second factor. Replaces all recovery codes and returns the new ones. The assurance of the session becomes 2, and it gets a new cookie: the previous one is no longer valid. If the app replaces another one, that one no longer works. If it does, or is the first second factor of the user, every other session of the user ends. Links to change the address that were sent before no longer work. Requires a recent authentication.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Returns the options for `navigator.credentials.create`. Requires a recent authentication and, where mail is sent, a confirmed e-mail address.
         */
        post: operations["getPasskeyCreationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current user's passkeys
         * @description Returns all passkeys of the signed-in user, oldest first, on one page.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description Stores the passkey that the browser has created. The assurance of the session becomes 2, and it gets a new cookie: the previous one is no longer valid. If the passkey is the first second factor of the user, every other session ends, and links to change the address that were sent before no longer work. Without a name, the passkey is named after its model or the browser. Requires a recent authentication; where mail is sent, a confirmed e-mail address; and for the first second factor of a user whose roles require one also a token. After 403 the same request can be repeated within five minutes.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description Removes a passkey of the signed-in user and ends all other sessions. With the last second factor, the assurance of the session becomes 1. Requires a recent authentication.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Changes the name under which a passkey of the signed-in user is listed.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/user/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current user's API keys
         * @description Returns the API keys of the signed-in user, also those that have ended.
         */
        get: operations["listOwnApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key with which a program acts on behalf of the signed-in user, with the user's permissions at each moment or fewer. Roles that require a second factor count for it only if this session has proved one. The key is shown in this response only. Requires a recent authentication and, where mail is sent, a confirmed e-mail address.
         */
        post: operations["createOwnApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current user's linked accounts
         * @description Returns all accounts at providers with which the signed-in user can sign in, oldest first, on one page.
         */
        get: operations["listProviderAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The next request with the key is rejected. It cannot be undone.
         */
        delete: operations["revokeOwnApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink an account at a provider
         * @description The signed-in user can no longer sign in with it, and the other sessions that began with it end. Requires a recent authentication, and another way to sign in.
         */
        delete: operations["unlinkProviderAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description Returns new recovery codes, and makes all earlier ones invalid. Requires a recent authentication with a second factor.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set whether signing in requires a second factor
         * @description With `required`, the password alone is not enough to sign in. Confirming an authenticator app sets it; adding a passkey does not. Links to change the address that were sent before no longer work then. Requires a recent authentication.
         */
        put: operations["setSecondFactor"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the current user's password
         * @description Changes the password, ends every other session of the user and issues a new cookie for this session. The previous cookie is no longer valid; API keys still work. If the account needs a second factor, a recent authentication with it is required as well.
         */
        put: operations["setOwnPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the current user's data
         * @description Returns a file with what the portal keeps about the signed-in user, without secrets and without anything that identifies other people. Requires a recent authentication. The export is recorded, and the user gets a mail about it.
         */
        get: operations["exportOwnData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the current user's account
         * @description Permanently deletes the account and its sessions; or, where users can restore it for some days (`deletionGraceDays` of `getSignInOptions`), ends its sessions and plans the deletion (202). Requires the current password or a recent authentication; only the latter counts if the account needs a second factor. Refused for 72 hours after a change of the e-mail address, while its former owner can take the account back. Its activity records are kept until their retention period ends.
         */
        post: operations["deleteOwnAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List feature flags
         * @description Returns all feature flags, sorted by key by default.
         */
        get: operations["listFlags"];
        put?: never;
        /**
         * Create a feature flag
         * @description All variants have the type of the flag, the weights of a split add up to 100000, and rules refer to existing variants, roles and segments.
         */
        post: operations["createFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stale-flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stale feature flags
         * @description Returns flags that have nothing left to decide: not permanent, not changed for this number of days, and without a rule that begins or ends later.
         */
        get: operations["listStaleFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/flags/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a flag and explain the result
         * @description Evaluates a saved flag or an unsaved definition as OFREP does, for a user or a made-up context, and returns which rule and which bucket decided. Changes nothing. A definition is checked as if it were saved. `sample` counts how many made-up targeting keys get each variant.
         */
        post: operations["tryFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ofrep/v1/evaluate/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate all feature flags
         * @description Evaluates all flags as defined by OFREP 0.3. For a signed-in user, their id and roles take precedence over the context. Without a session, only public flags are evaluated.
         */
        post: operations["evaluateFlags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ofrep/v1/evaluate/flags/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a feature flag
         * @description Evaluates a flag as defined by OFREP 0.3. For a signed-in user, their id and roles take precedence over the context. Without a session, only public flags can be evaluated.
         */
        post: operations["evaluateFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/flags/{key}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the evaluations of a flag
         * @description Returns how often each variant was sent to apps on each day. Instances store their counts once a minute. Unchanged responses (304), trials and lists of the admin API do not count.
         */
        get: operations["getFlagEvaluations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/flags/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a feature flag
         * @description Returns a feature flag. Send its ETag in If-Match when you update or delete it.
         */
        get: operations["getFlag"];
        put?: never;
        post?: never;
        /**
         * Delete a feature flag
         * @description Evaluations of a deleted flag return `FLAG_NOT_FOUND`. To keep the flag and its rules, disable it instead.
         */
        delete: operations["deleteFlag"];
        options?: never;
        head?: never;
        /**
         * Update a feature flag
         * @description Applies a merge patch. Rules are replaced as a whole; variants are merged by name. The change takes effect with the next evaluation.
         */
        patch: operations["updateFlag"];
        trace?: never;
    };
    "/api/admin/flags/{key}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a feature flag
         * @description Returns every saved state of a flag, newest first by default, also of a deleted one. Only callers with `activity:read` learn who made a change.
         */
        get: operations["listFlagRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/flags/{key}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an earlier version of a feature flag
         * @description Writes a new version with the definition of an earlier one. A deleted flag is created again, which requires `flags:create` as well; If-Match then names the version of the deletion.
         */
        post: operations["restoreFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deleted-flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted feature flags and segments
         * @description Returns the flags and segments that were deleted and can be restored, sorted by key by default.
         */
        get: operations["listDeletedFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments
         * @description Returns all segments, sorted by key by default.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Create a segment
         * @description Rules of flags can name the segment in `segmentsAny`. At most 200 can exist.
         */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/segments/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment
         * @description Returns a segment. Send its ETag in If-Match when you update or delete it.
         */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /**
         * Delete a segment
         * @description Deletes a segment that no flag names. It can be restored.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /**
         * Update a segment
         * @description Replaces the description, the conditions or both. The change takes effect with the next evaluation of every flag that names the segment.
         */
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/api/admin/segments/{key}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a segment
         * @description Returns every saved state of a segment, newest first by default, also of a deleted one. Only callers with `activity:read` learn who made a change.
         */
        get: operations["listSegmentRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/segments/{key}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an earlier version of a segment
         * @description Writes a new version with the definition of an earlier one. A deleted segment is created again, which requires `flags:create` as well; If-Match then names the version of the deletion.
         */
        post: operations["restoreSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/machine/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the API key of the request
         * @description Returns the owner of the key, what the key may do at this moment, and when it expires. Cookies are ignored.
         */
        get: operations["getMachine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List services
         * @description Returns all services with their roles and permissions.
         */
        get: operations["listServices"];
        put?: never;
        /**
         * Create a service
         * @description Creates an account for a machine, without roles and without keys.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/services/{key}/roles/{role}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Grant a role to a service
         * @description Takes effect with the next request of its keys. Has no effect when the service already has the role. A role that requires a second factor never counts for a service.
         */
        put: operations["grantServiceRole"];
        post?: never;
        /**
         * Revoke a role from a service
         * @description Takes effect with the next request of its keys. Has no effect when the service does not have the role.
         */
        delete: operations["revokeServiceRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/services/{key}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a service
         * @description Returns the keys of one service, also those that have ended.
         */
        get: operations["listServiceKeys"];
        put?: never;
        /**
         * Create an API key for a service
         * @description The key is shown in this response only. Two keys of one service can overlap: to rotate a key, create the next one, replace it where it is used, and revoke the old one.
         */
        post: operations["createServiceKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/services/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a service
         * @description Returns one service with its roles and permissions.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        /**
         * Delete a service
         * @description Deletes the service and its keys: the next request with one is rejected.
         */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        /**
         * Update a service
         * @description Changes name, description or status. The keys of a deactivated service are rejected from the next request on, and work again when it is active.
         */
        patch: operations["updateService"];
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys that verify assertions
         * @description Public keys of the assertions that `checkSession` gives to services. Keys of SECRET_KEYS that are kept for a rotation are listed as well.
         */
        get: operations["getAssertionKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List activity records
         * @description Returns the audit trail, newest first by default.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/activity/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count activity records
         * @description Counts the records of each action and outcome per hour (at most 7 days) or per day (at most 92 days), in UTC. `to` defaults to the current time, `from` to the start of the longest period allowed. The filters are those of the list.
         */
        get: operations["summariseActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/activity/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an activity record
         * @description Returns one record of the audit trail.
         */
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns the API keys of users and services, without their secrets.
         */
        get: operations["listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key of any owner
         * @description The next request with the key is rejected. It cannot be undone.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics of this instance
         * @description Returns as JSON what Prometheus reads at `METRICS_PORT`. Without that port, process metrics are collected from the first call on. A call is not a use of the session: the console reads them every few seconds while it is open.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mail
         * @description Returns the mail in the outbox, newest first by default. Of an address, the first character and the domain are shown; contents never. Mail is deleted some days after it was sent, dropped or refused for good.
         */
        get: operations["listOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/outbox/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail again
         * @description Schedules a mail that was refused for good, or that waits for its next delivery, for immediate delivery. Has no effect while it is being delivered.
         */
        post: operations["retryMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview
         * @description Returns the state of this instance, the database and the outbox, the number of users and sessions, and what may need attention. Numbers in large tables are estimates.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description Returns all permissions, sorted by key by default.
         */
        get: operations["listPermissions"];
        put?: never;
        /**
         * Create a permission
         * @description Creates a permission for the app to check; the app gets the permissions of a user from `GET /api/auth/me`. The role `admin` is granted the permission at once.
         */
        post: operations["createPermission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/permissions/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a permission
         * @description Returns a permission.
         */
        get: operations["getPermission"];
        put?: never;
        post?: never;
        /**
         * Delete a permission
         * @description Removes the permission from every role, effective with the next request.
         */
        delete: operations["deletePermission"];
        options?: never;
        head?: never;
        /**
         * Update a permission
         * @description Changes the description. The key cannot change, because apps refer to it.
         */
        patch: operations["updatePermission"];
        trace?: never;
    };
    "/api/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Returns all roles with their permissions, sorted by key by default.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description Creates a role. The caller must have every permission of the new role.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/roles/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a role
         * @description Returns a role with its permissions. Send its ETag in If-Match when you update or delete it.
         */
        get: operations["getRole"];
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description Members lose the role, effective with their next request. Members of a large role are removed in batches: after a 503, repeat the request to continue.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Update a role
         * @description Changes the name, the description, and whether the role requires a second factor. A change of the latter takes effect with the next request of the members, and requires that the caller has every permission of the role. The key cannot change, because flags and apps refer to it.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/api/admin/roles/{key}/permissions/{permission}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Grant a permission to a role
         * @description Takes effect with the next request of each user who has the role. Has no effect when the role already has the permission.
         */
        put: operations["grantPermission"];
        post?: never;
        /**
         * Revoke a permission from a role
         * @description Takes effect with the next request of each user who has the role. Has no effect when the role does not have the permission.
         */
        delete: operations["revokePermission"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Returns all sessions, including ended ones, newest first by default.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Revoke all sessions of a user
         * @description Ends every active session of the user. Has no effect when there is none.
         */
        delete: operations["revokeUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session
         * @description Returns a session, which may have ended.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Revoke a session
         * @description Ends the session: its next request is rejected with 401.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the schema of the settings
         * @description Returns what `SETTINGS_SCHEMA` allows, for a page that makes a form of it.
         */
        get: operations["getSettingsSchemaForAdmins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns all users, newest first by default. Filtering by a role that does not exist returns an empty page.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Creates an account with the role `user`, which every account has. Grant other roles afterwards.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Returns a user with profile and roles. Send its ETag in If-Match when you update or delete the user.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Deletes the account, its sessions and its role memberships. Its activity records are kept until their retention period ends.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Applies a merge patch. To change the e-mail address or the status, the caller must have every permission that the user has. Deactivating the account ends all of its sessions.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/admin/users/{id}/app-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the app settings of a user
         * @description Returns the app settings of a user, with the defaults of the app. Only services and operators write them, so the app may trust them. Values that `SETTINGS_SCHEMA` no longer accepts are left out.
         */
        get: operations["getUserAppSettings"];
        /**
         * Replace the app settings of a user
         * @description Removes what is left out, which then has the default of the app again.
         */
        put: operations["replaceUserAppSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the app settings of a user
         * @description Applies a merge patch (RFC 7396): what is left out keeps its value, null removes a property, and a list is replaced. `SETTINGS_SCHEMA` says what is allowed.
         */
        patch: operations["updateUserAppSettings"];
        trace?: never;
    };
    "/api/admin/users/{id}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user's second factors
         * @description Returns the authenticator app, the passkeys, the number of recovery codes and the linked accounts of a user, with their ages and when each was used last.
         */
        get: operations["getUserFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/factors/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user's passkey
         * @description Ends every session of the user and notifies them. With the last second factor, the recovery codes are deleted, and signing in no longer requires one.
         */
        delete: operations["removeUserPasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/factors/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user's authenticator app
         * @description Ends every session of the user and notifies them. With the last second factor, the recovery codes are deleted, and signing in no longer requires one. Has no effect when the user has no app.
         */
        delete: operations["removeUserTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's feature flags
         * @description Returns all feature flags as the user gets them without further attributes, and how each was decided; sorted by key by default.
         */
        get: operations["listUserFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a user's password
         * @description Sets a new password, for example after the user forgot theirs, and ends all of their sessions.
         */
        put: operations["setUserPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/providers/{providerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink a user's account at a provider
         * @description The user can no longer sign in with it, and the sessions that began with it end. The user gets a notice. It may be their only way to sign in.
         */
        delete: operations["unlinkUserProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/roles/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Grant a role to a user
         * @description Takes effect with the user's next request. Has no effect when the user already has the role.
         */
        put: operations["grantRole"];
        post?: never;
        /**
         * Revoke a role from a user
         * @description Takes effect with the user's next request. Has no effect when the user does not have the role.
         */
        delete: operations["revokeRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user's second factors
         * @description For a user who has lost them: removes the authenticator app, all passkeys and all recovery codes, and ends every session of the user. Has no effect when there is nothing to remove.
         */
        delete: operations["resetSecondFactors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a user gets
         * @description Returns what `GET /api/auth/me` answers in a session of the user with one factor or with two, and which role gives or withholds each permission. Nobody gets a session of the user.
         */
        get: operations["seeAsUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user settings of a user
         * @description Returns the user settings of a user, with the defaults of the app. User settings are what the app lets the user choose. Values that `SETTINGS_SCHEMA` no longer accepts are left out.
         */
        get: operations["getUserSettings"];
        /**
         * Replace the user settings of a user
         * @description Removes what is left out, which then has the default of the app again.
         */
        put: operations["replaceUserSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the user settings of a user
         * @description Applies a merge patch (RFC 7396): what is left out keeps its value, null removes a property, and a list is replaced. `SETTINGS_SCHEMA` says what is allowed.
         */
        patch: operations["updateUserSettings"];
        trace?: never;
    };
    "/api/machine/users/{id}/app-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the app settings of a user
         * @description Returns the app settings of a user, with the defaults of the app. Only services and operators write them, so the app may trust them. Values that `SETTINGS_SCHEMA` no longer accepts are left out.
         */
        get: operations["getAppSettingsForMachine"];
        /**
         * Replace the app settings of a user
         * @description Removes what is left out, which then has the default of the app again.
         */
        put: operations["replaceAppSettingsForMachine"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the app settings of a user
         * @description Applies a merge patch (RFC 7396): what is left out keeps its value, null removes a property, and a list is replaced. `SETTINGS_SCHEMA` says what is allowed.
         */
        patch: operations["updateAppSettingsForMachine"];
        trace?: never;
    };
    "/api/machine/users/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user settings of a user
         * @description Returns the user settings of a user, with the defaults of the app. User settings are what the app lets the user choose. Values that `SETTINGS_SCHEMA` no longer accepts are left out.
         */
        get: operations["getSettingsForMachine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description For load balancers: reports whether this instance can take traffic. The response comes from memory; the database is monitored in the background.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description For supervisors: reports that the process is running. Does not access the database.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Returns the OpenAPI document of the mode in which the server runs. The admin API is left out in production.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what this console is
         * @description Returns where the console is, and whether it may change something.
         */
        get: operations["getConsole"];
        put?: never;
        /**
         * Exchange a link for a token
         * @description Exchanges the secret of the link that the terminal printed for a bearer token. A link works once, and its token replaces the previous one. Ten wrong links end the console.
         */
        post: operations["startConsole"];
        /**
         * End the console
         * @description Ends the process, as Ctrl-C in its terminal does.
         */
        delete: operations["endConsole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An empty object: the request was accepted */
        Accepted: Record<string, never>;
        /**
         * @description The current password, unless the user has authenticated recently
         * @example {}
         */
        AccountDeletion: {
            /**
             * Format: password
             * @description Not required after a recent authentication
             * @example correct horse battery
             */
            currentPassword?: string;
        };
        /** @description Details of the action; the properties depend on the action */
        ActivityDetails: {
            /** @description E-mail address of the account */
            email?: string;
            /**
             * Format: int32
             * @description Number of sessions that the sign-in replaced
             * @example 1
             */
            replaced?: number;
            /**
             * Format: int32
             * @description Number of sessions that ended, or of API keys that were revoked
             * @example 1
             */
            revoked?: number;
            /**
             * Format: uuid
             * @description Id of the session that ended
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            sessionId?: string;
            /** @description Authentication methods (RFC 8176) */
            amr?: string[];
            /** @description Key of the provider */
            provider?: string;
            /** @description Name of the passkey or the API key */
            name?: string;
            /** @description Whether a second factor is required */
            required?: boolean;
            /** @description Names of the changed fields */
            fields?: string[];
            /** @description What fields changed from and to; not those of a profile */
            changes?: {
                /** @description E-mail address */
                email?: {
                    from: string;
                    to: string;
                };
                /** @description Name of a user, a role or a service */
                name?: {
                    from: string;
                    to: string;
                };
                /** @description Theme */
                theme?: {
                    /** @enum {string} */
                    from: "light" | "dark" | "system";
                    /** @enum {string} */
                    to: "light" | "dark" | "system";
                };
                /** @description Description of a role, a permission or a service */
                description?: {
                    from: string;
                    to: string;
                };
                /** @description Whether a role requires a second factor */
                requiresSecondFactor?: {
                    from: boolean;
                    to: boolean;
                };
                /** @description Status of a service */
                status?: {
                    /** @enum {string} */
                    from: "active" | "deactivated";
                    /** @enum {string} */
                    to: "active" | "deactivated";
                };
            };
            /** @description Previous address, in records of version 0.1 */
            before?: {
                /** @description E-mail address */
                email?: string;
            };
            /** @description New address, in records of version 0.1 */
            after?: {
                /** @description E-mail address */
                email?: string;
            };
            /** @description Key of the role, permission or flag, or id of the API key */
            key?: string;
            /** @description Networks to which the new API key is limited */
            networks?: string[];
            /**
             * Format: date-time
             * @description When the new API key expires
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description When the API key was first used from this network, if the record came later
             * @example 2026-01-31T09:30:00.000Z
             */
            firstAt?: string;
            /** @description Key of the service */
            service?: string;
            /** @description Key of the role that was granted or revoked */
            role?: string;
            /** @description Keys of the roles of an imported user, without `user` */
            grantedRoles?: string[];
            /** @description Keys of the providers where an imported user has accounts */
            providers?: string[];
            /** @description Whether an imported user has an authenticator app */
            secondFactor?: boolean;
            /** @description Which settings of the app an imported user has: `user` and `app` */
            parts?: string[];
            /** @description Status of an imported user who is not active */
            status?: string;
            /** @description Key of the permission that was granted, revoked or missing */
            permission?: string;
            /** @description Permission keys of the new or deleted role, or to which the new API key is limited */
            permissions?: string[];
            /**
             * Format: int32
             * @description Version of the flag after the change
             * @example 1
             */
            version?: number;
            /**
             * Format: int32
             * @description Number of users who lost the deleted role
             * @example 1
             */
            members?: number;
            /**
             * Format: int32
             * @description Number of roles that had the deleted permission
             * @example 1
             */
            roles?: number;
            /** @description Name of the rate limit that was exceeded */
            limit?: string;
            /** @description Method and path pattern of the route */
            route?: string;
            /** @description Kind of the mail */
            kind?: string;
            /** @description Why the mail was not delivered */
            error?: string;
            /** @description Which settings of the app changed: `user` or `app` */
            part?: string;
            /** @description Whether the console may make changes */
            write?: boolean;
            /**
             * Format: int32
             * @description Number of occurrences in the minute that the record covers
             * @example 1
             */
            count?: number;
        };
        /** @description A page of activity records */
        ActivityPage: {
            items: components["schemas"]["ActivityRecord"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description An entry of the audit trail. Records are never changed and outlive their actors and targets */
        ActivityRecord: {
            /**
             * Format: uuid
             * @description Record id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of the action
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description Name of the action
             * @example auth.login
             */
            action: string;
            /**
             * @description Outcome of the action
             * @enum {string}
             */
            outcome: "success" | "failure";
            /**
             * @description Reason for the failure
             * @example wrong-password
             */
            reason: string | null;
            /**
             * @description Kind of actor
             * @enum {string}
             */
            actorType: "user" | "cli" | "system" | "anonymous" | "service";
            /**
             * @description Id of the user or the service that acted
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            actorId: string | null;
            /**
             * @description E-mail address or key of the actor at that time
             * @example ada@example.com
             */
            actorLabel: string | null;
            /**
             * @description Kind of target
             * @enum {string|null}
             */
            targetType: "user" | "session" | "role" | "permission" | "flag" | "segment" | "service" | null;
            /** @description Id of the target, or the key of a permission or flag */
            targetId: string | null;
            /**
             * @description Client IP address
             * @example 203.0.113.7
             */
            ip: string | null;
            /**
             * @description User agent
             * @example Mozilla/5.0
             */
            userAgent: string | null;
            /**
             * @description Request id, as in X-Request-Id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            requestId: string | null;
            /**
             * @description Session of the acting user; for a sign-in, the session that began
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            sessionId: string | null;
            /**
             * @description Where the action came from
             * @enum {string}
             */
            source: "api" | "cli" | "job";
            details: components["schemas"]["ActivityDetails"];
        };
        /** @description Number of records per bucket, action and outcome */
        ActivitySummary: {
            /**
             * @description Length of a bucket
             * @enum {string}
             */
            bucket: "hour" | "day";
            /**
             * Format: date-time
             * @description Start of the period, inclusive
             * @example 2026-01-31T09:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period, exclusive
             * @example 2026-01-31T09:30:00.000Z
             */
            to: string;
            /** @description Oldest first; combinations without records are left out */
            items: {
                /**
                 * Format: date-time
                 * @description Start of the bucket, in UTC
                 * @example 2026-01-31T09:30:00.000Z
                 */
                start: string;
                /**
                 * @description Name of the action
                 * @example auth.login
                 */
                action: string;
                /**
                 * @description Outcome of the action
                 * @enum {string}
                 */
                outcome: "success" | "failure";
                /**
                 * Format: int32
                 * @description Number of records
                 * @example 1
                 */
                count: number;
                /**
                 * Format: int32
                 * @description Number of occurrences; more than `count` where repeated refusals share a record
                 * @example 1
                 */
                occurrences: number;
            }[];
        };
        /** @description An API key, without its secret */
        ApiKey: {
            /**
             * Format: uuid
             * @description Id of the key; not secret
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description What the key is for
             * @example Nightly report
             */
            name: string;
            /**
             * @description End of the key, by which it is recognized
             * @example x7Qa
             */
            lastFour: string;
            /**
             * @description Whether the key has ended, and why
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
            /** @description Permissions to which the key is limited; null for all of its owner */
            permissions: string[] | null;
            /** @description Networks from which the key works; null for all */
            networks: string[] | null;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time from which the key is not valid
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Time of its revocation
             * @example 2026-01-31T09:30:00.000Z
             */
            revokedAt: string | null;
            /**
             * @description Time of the last use, written once a minute
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string | null;
        };
        /** @description A page of API keys */
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description The settings that only services and operators write, with the app's defaults
         * @example {}
         */
        AppSettings: {
            [key: string]: unknown;
        };
        /**
         * @description Merge patch of app settings: what is left out keeps its value, null removes it
         * @example {}
         */
        AppSettingsPatch: {
            [key: string]: unknown;
        };
        /** @description The results for all flags */
        BulkEvaluation: {
            /** @description Sorted by key */
            flags: (components["schemas"]["Evaluation"] | components["schemas"]["EvaluationFailure"])[];
        };
        /** @description A one-time token and the password of the account */
        Confirmation: {
            /**
             * @description The token of the link in the mail
             * @example Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM
             */
            token: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
        };
        /** @description A mail was sent to the address */
        ConfirmationSent: {
            /**
             * @description The result
             * @enum {string}
             */
            status: "confirmation-sent";
        };
        /** @description A new API key, with its secret */
        CreatedApiKey: {
            /**
             * Format: uuid
             * @description Id of the key; not secret
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description What the key is for
             * @example Nightly report
             */
            name: string;
            /**
             * @description End of the key, by which it is recognized
             * @example x7Qa
             */
            lastFour: string;
            /**
             * @description Whether the key has ended, and why
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
            /** @description Permissions to which the key is limited; null for all of its owner */
            permissions: string[] | null;
            /** @description Networks from which the key works; null for all */
            networks: string[] | null;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time from which the key is not valid
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Time of its revocation
             * @example 2026-01-31T09:30:00.000Z
             */
            revokedAt: string | null;
            /**
             * @description Time of the last use, written once a minute
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /** @description The key itself, which is shown only here */
            secret: string;
        };
        /**
         * @description Credentials of a user
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery"
         *     }
         */
        Credentials: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
            /** @description Whether to restore the account if the user has asked for its deletion */
            restore?: boolean;
        };
        /** @description The session of this request */
        CurrentSession: {
            /**
             * Format: uuid
             * @description Session id; not the secret in the cookie
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of the sign-in
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the session expires at the latest
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Time at which the user last authenticated
             * @example 2026-01-31T09:30:00.000Z
             */
            authenticatedAt: string;
            /**
             * Format: int32
             * @description Number of factors that were proved in this session
             * @enum {integer}
             */
            assurance: 1 | 2;
            /** @description Authentication methods (RFC 8176): `pwd` password, `otp` one-time code, `hwk` or `swk` passkey, `user` verified by the device, `mfa` several factors */
            amr: string[];
            /**
             * Format: date-time
             * @description Time at which the session expires if no further request is made
             * @example 2026-01-31T09:30:00.000Z
             */
            idleExpiresAt: string;
        };
        /** @description The signed-in user */
        CurrentUser: {
            /**
             * Format: uuid
             * @description User id; never changes
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description E-mail address as the user entered it
             * @example ada@example.com
             */
            email: string;
            /** @description Whether the user has confirmed the address */
            emailVerified: boolean;
            /** @example Ada Lovelace */
            name: string;
            /**
             * @description Theme of the app
             * @enum {string}
             */
            theme: "light" | "dark" | "system";
            /**
             * @description Whether the user can sign in
             * @enum {string}
             */
            status: "active" | "deactivated";
            /** @description Keys of the user's roles that count in this session */
            roles: string[];
            /** @description Keys of the user's roles that do not count in this session, because they require a second factor */
            suspendedRoles: string[];
            /** @description Keys of all permissions of `roles` */
            permissions: string[];
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description What the portal keeps about a user */
        DataExport: {
            /** @description The account */
            account: {
                /**
                 * Format: uuid
                 * @description User id; never changes
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /**
                 * @description E-mail address as the user entered it
                 * @example ada@example.com
                 */
                email: string;
                /** @description Whether the user has confirmed the address */
                emailVerified: boolean;
                /** @example Ada Lovelace */
                name: string;
                /**
                 * @description Theme of the app
                 * @enum {string}
                 */
                theme: "light" | "dark" | "system";
                profile: components["schemas"]["Profile"];
                /**
                 * @description Whether the user can sign in
                 * @enum {string}
                 */
                status: "active" | "deactivated";
                /** @description Keys of the user's roles */
                roles: string[];
                /** @description Whether signing in with the password requires a second factor */
                secondFactor: boolean;
                /**
                 * Format: date-time
                 * @description Time of creation
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description Time of the last change
                 * @example 2026-01-31T09:30:00.000Z
                 */
                updatedAt: string;
                /**
                 * @description Time of the last sign-in
                 * @example 2026-01-31T09:30:00.000Z
                 */
                lastLoginAt: string | null;
                /**
                 * @description When the account is deleted, as its user has asked; the user can still restore it
                 * @example 2026-01-31T09:30:00.000Z
                 */
                deleteAt: string | null;
            };
            /** @description Second factors and linked accounts */
            factors: {
                /** @description Whether signing in with the password requires a second factor */
                secondFactor: boolean;
                /** @description Keys of the user's roles that require a second factor */
                requiredByRoles: string[];
                /** @description The authenticator app */
                totp: {
                    /**
                     * Format: date-time
                     * @description Time at which it was set up
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    createdAt: string;
                    /**
                     * @description Time of the last code, to within a minute
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    lastUsedAt: string | null;
                } | null;
                /** @description Passkeys, oldest first */
                passkeys: {
                    /**
                     * Format: uuid
                     * @description Passkey id
                     * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                     */
                    id: string;
                    /**
                     * @description Name that the user chose, else the model of the device or the browser
                     * @example Laptop
                     */
                    name: string;
                    /**
                     * @description Host name that the passkey is created for (RP ID)
                     * @example portal.example.com
                     */
                    rpId: string;
                    /**
                     * @description `single`: bound to one device; `multi`: may be copied to others
                     * @enum {string}
                     */
                    deviceType: "single" | "multi";
                    /** @description Whether the passkey is backed up */
                    backedUp: boolean;
                    /**
                     * Format: date-time
                     * @description Time at which it was added
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    createdAt: string;
                    /**
                     * @description Time of the last authentication with it
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    lastUsedAt: string | null;
                }[];
                /** @description Linked accounts, oldest first */
                providers: components["schemas"]["ProviderAccount"][];
                /** @description The recovery codes */
                recoveryCodes: {
                    /**
                     * Format: int32
                     * @description Number of unused recovery codes
                     * @example 1
                     */
                    left: number;
                    /**
                     * Format: date-time
                     * @description Time at which they were created
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    createdAt: string;
                    /**
                     * @description Time at which one was used
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    lastUsedAt: string | null;
                } | null;
            };
            settings: components["schemas"]["UserSettings"];
            appSettings: components["schemas"]["AppSettings"];
            /** @description Active sessions, newest first */
            sessions: components["schemas"]["OwnSession"][];
            /** @description API keys, also those that have ended */
            keys: components["schemas"]["ApiKey"][];
            /** @description Actions of the user and actions on their account, newest first. Actions on other people do not say on whom */
            activity: components["schemas"]["ActivityRecord"][];
            /** @description Mails to the user, newest first */
            mails: {
                /**
                 * @description Kind of the mail
                 * @example recovery
                 */
                kind: string;
                /**
                 * @description `pending`: waits for delivery; `sent`: accepted by the mail server; `dead`: refused for good; `dropped`: expired, or there was nobody to send it to; `caught`: kept and not sent, in development
                 * @enum {string}
                 */
                state: "pending" | "sent" | "dead" | "dropped" | "caught";
                /**
                 * Format: date-time
                 * @description Time at which the mail was written
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * @description Time at which the mail was sent, dropped, caught or refused for good
                 * @example 2026-01-31T09:30:00.000Z
                 */
                doneAt: string | null;
            }[];
        };
        /** @description What was deleted and can be restored */
        DeletedFlag: {
            /**
             * @description What was deleted
             * @enum {string}
             */
            kind: "flag" | "segment";
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /**
             * Format: int32
             * @description Version, which is also the ETag
             * @example 1
             */
            version: number;
            /**
             * Format: date-time
             * @description Time of the deletion
             * @example 2026-01-31T09:30:00.000Z
             */
            deletedAt: string;
            /**
             * @description Kind of actor
             * @enum {string|null}
             */
            actorType: "user" | "cli" | "system" | "anonymous" | "service" | null;
            /**
             * @description Id of the user who acted; null for callers without `activity:read`
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            actorId: string | null;
            /** @description E-mail address of the actor at that time, or name of the operator; null for callers without `activity:read`, and after the retention of the activity */
            actorLabel: string | null;
        };
        /** @description A page of deleted flags and segments */
        DeletedFlagPage: {
            items: components["schemas"]["DeletedFlag"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description The current user's e-mail address */
        Email: {
            /**
             * @description E-mail address that the user signs in with
             * @example ada@example.com
             */
            email: string;
            /** @description Whether the user has confirmed it */
            verified: boolean;
            /**
             * @description Address that the user asked for and has not confirmed yet
             * @example ada@example.com
             */
            pending: string | null;
        };
        /**
         * @description A new e-mail address to sign in with
         * @example {
         *       "email": "lovelace@example.com",
         *       "currentPassword": "correct horse battery"
         *     }
         */
        EmailChange: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description Not required after a recent authentication
             * @example correct horse battery
             */
            currentPassword?: string;
        };
        /** @description The result of an evaluation */
        Evaluation: {
            /**
             * @description Flag key
             * @example new-checkout
             */
            key: string;
            value: components["schemas"]["FlagValue"];
            /**
             * @description Name of the variant
             * @example on
             */
            variant: string;
            /**
             * @description `STATIC`: the flag has no rules; `TARGETING_MATCH`: a rule matched; `SPLIT`: the split of a rule decided; `DEFAULT`: no rule matched; `DISABLED`: the flag is disabled
             * @enum {string}
             */
            reason: "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT" | "DISABLED";
        };
        /** @description A flag that could not be evaluated, and why */
        EvaluationFailure: {
            /**
             * @description Flag key
             * @example new-checkout
             */
            key: string;
            /**
             * @description OFREP error code
             * @enum {string}
             */
            errorCode: "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "FLAG_NOT_FOUND" | "GENERAL";
            /** @description Explanation for people */
            errorDetails: string;
        };
        /** @description An evaluation error: the members defined by OFREP and those of a problem document */
        EvaluationProblem: {
            /**
             * @description Flag key
             * @example new-checkout
             */
            key?: string;
            /**
             * @description OFREP error code
             * @enum {string}
             */
            errorCode: "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "FLAG_NOT_FOUND" | "GENERAL";
            /** @description Explanation for people */
            errorDetails: string;
            /** @description Problem type: a path that ends with `code` */
            type: string;
            /** @description Short summary of the problem type */
            title: string;
            /**
             * Format: int32
             * @description HTTP status code
             */
            status: number;
            code: components["schemas"]["ProblemCode"];
            /** @description What is wrong and what to do, to be shown to the user as it is */
            detail: string;
            /** @description Request id of this occurrence, as in X-Request-Id and the log */
            instance: string;
            /** @description Fields to correct; only with status 400 */
            errors?: {
                /** @description JSON Pointer (RFC 6901) into the request body, or /query/…, /path/… or /header/… for other parts of the request */
                pointer: string;
                code: components["schemas"]["FieldCode"];
                /** @description Explanation for people */
                message: string;
            }[];
            /**
             * Format: date-time
             * @description When the account will be deleted; only with `deletion-pending`
             * @example 2026-01-31T09:30:00.000Z
             */
            deleteAt?: string;
            /** @description How the user can authenticate again; only with `reauthentication-required` */
            methods?: ("password" | "totp" | "passkey" | "provider")[];
            /** @description Providers with which the user can authenticate again; only with `reauthentication-required` */
            providers?: components["schemas"]["ShownProvider"][];
            /**
             * Format: int32
             * @description Seconds for which an authentication is recent; only with `reauthentication-required`
             */
            maxAge?: number;
        };
        /**
         * @description The context of an evaluation
         * @example {
         *       "context": {
         *         "targetingKey": "visitor-1",
         *         "country": "DE"
         *       }
         *     }
         */
        EvaluationRequest: {
            /** @description Attributes that the rules of flags can refer to */
            context?: {
                /** @description Key of the evaluated subject; for a signed-in user the user id is used */
                targetingKey?: string;
            } & {
                [key: string]: unknown;
            };
        };
        /**
         * @description Stable code for programs
         * @enum {string}
         */
        FieldCode: "already-used" | "empty" | "invalid" | "invalid-characters" | "invalid-email" | "invalid-locale" | "invalid-time-zone" | "invalid-url" | "invalid-value" | "malformed" | "not-allowed" | "out-of-range" | "repeated" | "required" | "too-guessable" | "too-long" | "too-many" | "too-short" | "unknown-audience" | "unknown-hash" | "unknown-issuer" | "unknown-permission" | "unknown-property" | "unknown-role" | "unknown-segment" | "unknown-setting" | "unknown-variant" | "unsafe-hash" | "wrong-sum" | "wrong-type";
        /** @description A feature flag */
        Flag: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /**
             * @description Type of all variants
             * @enum {string}
             */
            type: "boolean" | "string" | "number" | "object";
            /** @example The new checkout */
            description: string;
            /**
             * @description A disabled flag always serves `offVariant`
             * @enum {string}
             */
            state: "enabled" | "disabled";
            /** @description The first rule that matches decides; without a match `defaultVariant` is served */
            rules: components["schemas"]["FlagRule"][];
            /** @description Whether callers who are not signed in can evaluate the flag */
            public: boolean;
            /** @description Whether the flag is meant to stay: it is never reported as stale */
            permanent: boolean;
            /** @description Variants by name. All have the type of the flag, and together they take at most 16384 bytes of JSON */
            variants: {
                [key: string]: components["schemas"]["FlagValue"];
            };
            /**
             * @description Name of a variant
             * @example on
             */
            defaultVariant: string;
            /**
             * @description Name of a variant
             * @example on
             */
            offVariant: string;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description How often each variant of a flag was sent to apps */
        FlagEvaluations: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /** @description Days in UTC, oldest first. The last one is today */
            days: string[];
            /** @description Variants that were sent in this period, most frequent first */
            variants: {
                /**
                 * @description Name of the variant, which the flag may no longer have; null where a split lacked the targeting key
                 * @example on
                 */
                variant: string | null;
                /** @description Number of evaluations of this flag alone, for each day */
                single: number[];
                /** @description Number of evaluations together with all other flags, for each day */
                bulk: number[];
            }[];
        };
        /** @description A page of feature flags */
        FlagPage: {
            items: components["schemas"]["Flag"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description Merge patch: omitted fields keep their value, rules are replaced. Key and type cannot change
         * @example {
         *       "defaultVariant": "on",
         *       "rules": []
         *     }
         */
        FlagPatch: {
            /**
             * @description At most 300 characters
             * @example The new checkout
             */
            description?: string;
            /**
             * @description A disabled flag always serves `offVariant`
             * @enum {string}
             */
            state?: "enabled" | "disabled";
            /** @description The first rule that matches decides; without a match `defaultVariant` is served */
            rules?: components["schemas"]["NewFlagRule"][];
            /** @description Whether callers who are not signed in can evaluate the flag */
            public?: boolean;
            /** @description Whether the flag is meant to stay: it is never reported as stale */
            permanent?: boolean;
            /** @description Variants to merge by name; null removes a variant. The result has at most 50 variants and 16384 bytes of JSON */
            variants?: {
                [key: string]: boolean | string | number | {
                    [key: string]: unknown;
                } | null;
            };
            /**
             * @description Name of a variant
             * @example on
             */
            defaultVariant?: string;
            /**
             * @description Name of a variant
             * @example on
             */
            offVariant?: string;
        };
        /** @description A saved state of a flag */
        FlagRevision: {
            /**
             * Format: int32
             * @description Version, which is also the ETag
             * @example 1
             */
            version: number;
            /**
             * @description What was done; `found` is a state that was written by a version that kept no history
             * @enum {string}
             */
            change: "create" | "update" | "delete" | "restore" | "import" | "found";
            /** @description Names of the changed fields */
            fields: string[];
            /**
             * Format: date-time
             * @description Time of the change
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description Kind of actor
             * @enum {string|null}
             */
            actorType: "user" | "cli" | "system" | "anonymous" | "service" | null;
            /**
             * @description Id of the user who acted; null for callers without `activity:read`
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            actorId: string | null;
            /** @description E-mail address of the actor at that time, or name of the operator; null for callers without `activity:read`, and after the retention of the activity */
            actorLabel: string | null;
            /** @description The flag after the change; null after a deletion */
            definition: {
                /**
                 * @description Type of all variants
                 * @enum {string}
                 */
                type: "boolean" | "string" | "number" | "object";
                /** @example The new checkout */
                description: string;
                /**
                 * @description A disabled flag always serves `offVariant`
                 * @enum {string}
                 */
                state: "enabled" | "disabled";
                /** @description The first rule that matches decides; without a match `defaultVariant` is served */
                rules: components["schemas"]["FlagRule"][];
                /** @description Whether callers who are not signed in can evaluate the flag */
                public: boolean;
                /** @description Whether the flag is meant to stay: it is never reported as stale */
                permanent: boolean;
                /** @description Variants by name. All have the type of the flag, and together they take at most 16384 bytes of JSON */
                variants: {
                    [key: string]: components["schemas"]["FlagValue"];
                };
                /**
                 * @description Name of a variant
                 * @example on
                 */
                defaultVariant: string;
                /**
                 * @description Name of a variant
                 * @example on
                 */
                offVariant: string;
            } | null;
        };
        /** @description A page of the history of a flag */
        FlagRevisionPage: {
            items: components["schemas"]["FlagRevision"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description A targeting rule: who it applies to and which variant it serves. A rule with an unknown condition never matches */
        FlagRule: {
            /** @description Conditions that must all hold; without conditions the rule matches everyone */
            when: {
                /** @description The user has any of these roles */
                rolesAny?: string[];
                /** @description The targeting key is any of these; for a signed-in user it is the user id */
                users?: string[];
                /** @description All of these conditions hold; each holds for any of its values */
                attributes?: {
                    /**
                     * @description Name of a context property
                     * @example country
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description All of these conditions on the app settings of the signed-in user hold */
                appSettings?: {
                    /**
                     * @description Path of an app setting that is not an object or a list
                     * @example limits.projects
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description The caller is in any of these segments */
                segmentsAny?: string[];
                /**
                 * Format: date-time
                 * @description The rule begins to match at this time; stored in UTC with milliseconds
                 * @example 2026-12-01T08:00:00+01:00
                 */
                from?: string;
                /**
                 * Format: date-time
                 * @description From this time on the rule no longer matches; later than `from`
                 * @example 2026-12-01T08:00:00+01:00
                 */
                until?: string;
            };
            /** @description One variant, or a split between several */
            serve: {
                /**
                 * @description Name of a variant
                 * @example on
                 */
                variant: string;
            } | {
                split: {
                    /**
                     * @description Name of a variant
                     * @example on
                     */
                    variant: string;
                    /**
                     * Format: int32
                     * @description Share in thousandths of a percent; the weights of a split add up to 100000
                     */
                    weight: number;
                }[];
            };
        };
        /**
         * @description The flag to evaluate: `key` of a saved one, or the definition of another; and for whom
         * @example {
         *       "key": "new-checkout",
         *       "context": {
         *         "targetingKey": "visitor-1",
         *         "roles": [
         *           "admin"
         *         ],
         *         "attributes": {
         *           "country": "DE"
         *         }
         *       },
         *       "sample": 100
         *     }
         */
        FlagTrial: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key?: string;
            flag?: components["schemas"]["NewFlag"];
            /** @description A user or a made-up caller; by default a visitor without a targeting key */
            context?: {
                /**
                 * Format: uuid
                 * @description Evaluate as for this user, with their roles. Requires `users:read` as well
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                userId?: string;
                /**
                 * Format: int32
                 * @description Number of factors proved in the user's session: roles that require a second factor count with 2 only. By default that of a sign-in with the password
                 */
                assurance?: number;
                /** @description Targeting key of a made-up caller */
                targetingKey?: string;
                /** @description Roles of a made-up signed-in user. Without them the caller is not signed in */
                roles?: string[];
                /** @description Attributes that rules can refer to; texts have at most 512 characters */
                attributes?: {
                    [key: string]: unknown;
                };
                /**
                 * Format: date-time
                 * @description Time to evaluate for; by default now
                 * @example 2026-12-01T08:00:00+01:00
                 */
                at?: string;
                /** @description App settings of a made-up signed-in user */
                appSettings?: {
                    [key: string]: unknown;
                };
            };
            /**
             * Format: int32
             * @description Number of made-up targeting keys to count by variant, in the same context
             */
            sample?: number;
        };
        /** @description The result of an evaluation, and how it was decided */
        FlagTrialResult: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /** @description The value; null if a targeting key is missing */
            value: boolean | string | number | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Name of a variant
             * @example on
             */
            variant: string | null;
            /**
             * @description `STATIC`: the flag has no rules; `TARGETING_MATCH`: a rule matched; `SPLIT`: the split of a rule decided; `DEFAULT`: no rule matched; `DISABLED`: the flag is disabled; `TARGETING_KEY_MISSING`: a rule would split, but there is no targeting key
             * @enum {string}
             */
            reason: "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT" | "DISABLED" | "TARGETING_KEY_MISSING";
            /** @description Index of the rule that matched */
            rule: number | null;
            /** @description Position of the targeting key in the split, in thousandths of a percent */
            bucket: number | null;
            /**
             * Format: date-time
             * @description The time for which the flag was evaluated
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description When a rule of the flag begins or ends next; null if none does
             * @example 2026-01-31T09:30:00.000Z
             */
            nextChange: string | null;
            /** @description The segments named by rules of the flag in which the caller is */
            segments: string[];
            /** @description Whether this caller can evaluate the flag: it is public or they are signed in. For others it does not exist */
            visible: boolean;
            /** @description The context in which the flag was evaluated */
            context: {
                /** @description Whether the caller is signed in */
                signedIn: boolean;
                /** @description Targeting key */
                targetingKey: string | null;
                /** @description Roles that count */
                roles: string[];
                /** @description Roles of the user that do not count, because they require a second factor */
                suspendedRoles: string[];
            };
            /** @description Every variant; only with `sample` */
            shares?: {
                /**
                 * @description Name of a variant
                 * @example on
                 */
                variant: string;
                /**
                 * Format: int32
                 * @description Number of targeting keys
                 * @example 1
                 */
                count: number;
            }[];
        };
        /**
         * @description A value of the flag's type; an object may have any properties
         * @example true
         */
        FlagValue: boolean | string | number | {
            [key: string]: unknown;
        };
        /** @description The provider for an e-mail address */
        FoundProvider: {
            /** @description The provider of the domain of the address; null if it has none */
            provider: components["schemas"]["ShownProvider"] | null;
            /** @description Whether users with an address of this domain sign in with this provider only */
            required: boolean;
        };
        /** @description Healthy */
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        /** @description A page of activity records */
        LabelledActivityPage: {
            items: components["schemas"]["LabelledActivityRecord"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description An entry of the audit trail, with the users whom it is about */
        LabelledActivityRecord: {
            /**
             * Format: uuid
             * @description Record id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of the action
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description Name of the action
             * @example auth.login
             */
            action: string;
            /**
             * @description Outcome of the action
             * @enum {string}
             */
            outcome: "success" | "failure";
            /**
             * @description Reason for the failure
             * @example wrong-password
             */
            reason: string | null;
            /**
             * @description Kind of actor
             * @enum {string}
             */
            actorType: "user" | "cli" | "system" | "anonymous" | "service";
            /**
             * @description Id of the user or the service that acted
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            actorId: string | null;
            /**
             * @description E-mail address or key of the actor at that time
             * @example ada@example.com
             */
            actorLabel: string | null;
            /**
             * @description Kind of target
             * @enum {string|null}
             */
            targetType: "user" | "session" | "role" | "permission" | "flag" | "segment" | "service" | null;
            /** @description Id of the target, or the key of a permission or flag */
            targetId: string | null;
            /**
             * @description Client IP address
             * @example 203.0.113.7
             */
            ip: string | null;
            /**
             * @description User agent
             * @example Mozilla/5.0
             */
            userAgent: string | null;
            /**
             * @description Request id, as in X-Request-Id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            requestId: string | null;
            /**
             * @description Session of the acting user; for a sign-in, the session that began
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            sessionId: string | null;
            /**
             * @description Where the action came from
             * @enum {string}
             */
            source: "api" | "cli" | "job";
            details: components["schemas"]["ActivityDetails"];
            /** @description The user who acted, as of now; null for callers without `users:read` */
            actor: {
                /**
                 * Format: uuid
                 * @description User id; never changes
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /** @example Ada Lovelace */
                name: string;
                /**
                 * @description E-mail address as the user entered it
                 * @example ada@example.com
                 */
                email: string;
            } | null;
            /** @description The same for a target that is a user */
            target: {
                /**
                 * Format: uuid
                 * @description User id; never changes
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /** @example Ada Lovelace */
                name: string;
                /**
                 * @description E-mail address as the user entered it
                 * @example ada@example.com
                 */
                email: string;
            } | null;
        };
        /** @description A one-time token */
        LinkToken: {
            /**
             * @description The token of the link in the mail
             * @example Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM
             */
            token: string;
        };
        /**
         * @description The second factor of a sign-in: either `code` or `recoveryCode`
         * @example {
         *       "code": "492039"
         *     }
         */
        LoginVerification: {
            /**
             * @description One-time code from the authenticator app: six digits, as text
             * @example 492039
             */
            code?: string;
            /**
             * @description Recovery code; case, spaces and hyphens do not matter
             * @example 7GQ4-M2KD-0XVT-9RHC-3WNB-5JPA
             */
            recoveryCode?: string;
        };
        /** @description That a user has signed out at a provider (OpenID Connect Back-Channel Logout 1.0) */
        LogoutNotice: {
            /** @description A signed logout token */
            logout_token: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An API key, its owner, and what it may do */
        Machine: {
            /** @description On whose behalf the key acts */
            owner: {
                /**
                 * @description Kind of owner
                 * @enum {string}
                 */
                type: "user" | "service";
                /**
                 * Format: uuid
                 * @description Id of the user or the service
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /**
                 * @description E-mail address of the user, or key of the service
                 * @example reporting
                 */
                label: string;
            };
            /** @description The key of this request */
            key: {
                /**
                 * Format: uuid
                 * @description Id of the key; not secret
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /**
                 * @description What the key is for
                 * @example Nightly report
                 */
                name: string;
                /**
                 * Format: date-time
                 * @description Time of creation
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description Time from which the key is not valid
                 * @example 2026-01-31T09:30:00.000Z
                 */
                expiresAt: string;
            };
            /** @description Keys of the owner's roles that count; none if the key has its own permissions */
            roles: string[];
            /** @description Keys of the permissions that the key has at this moment */
            permissions: string[];
        };
        /** @description The metrics of this instance */
        Metrics: {
            /** @description All metrics */
            metrics: {
                /**
                 * @description Name of the metric, as in Prometheus
                 * @example portal_logins_total
                 */
                name: string;
                /** @description Meaning of the metric */
                help: string;
                /**
                 * @description Type of the metric, as in Prometheus
                 * @enum {string}
                 */
                type: "counter" | "gauge" | "histogram" | "summary";
                /** @description A value for each combination of labels */
                values: {
                    /**
                     * @description Name of the value; those of histograms end with `_bucket`, `_sum` or `_count`
                     * @example portal_logins_total
                     */
                    name: string;
                    /**
                     * @description Labels by name
                     * @example {
                     *       "outcome": "success"
                     *     }
                     */
                    labels: {
                        [key: string]: string;
                    };
                    /** @description The value; null if there is none yet */
                    value: number | null;
                }[];
            }[];
        };
        /** @description The display name of the user */
        Name: {
            /** @example Ada Lovelace */
            name: string;
        };
        /** @description A new display name */
        NameChange: {
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Ada Lovelace
             */
            name: string;
        };
        /**
         * @description An API key to create
         * @example {
         *       "name": "Nightly report"
         *     }
         */
        NewApiKey: {
            /**
             * @description What the key is for
             * @example Nightly report
             */
            name: string;
            /**
             * Format: int32
             * @description Number of days after which the key expires; 90 by default
             * @example 90
             */
            days?: number;
            /** @description Permissions to which the key is limited; without it all of its owner count */
            permissions?: string[];
            /** @description Networks from which the key works; without it all of them */
            networks?: string[];
        };
        /**
         * @description App settings that replace all others; those that are left out get their default
         * @example {}
         */
        NewAppSettings: {
            [key: string]: unknown;
        };
        /**
         * @description A new feature flag; by default enabled, without rules, and neither public nor permanent
         * @example {
         *       "key": "new-checkout",
         *       "type": "boolean",
         *       "description": "The new checkout",
         *       "variants": {
         *         "on": true,
         *         "off": false
         *       },
         *       "defaultVariant": "off",
         *       "offVariant": "off",
         *       "rules": [
         *         {
         *           "when": {
         *             "rolesAny": [
         *               "admin"
         *             ]
         *           },
         *           "serve": {
         *             "variant": "on"
         *           }
         *         }
         *       ],
         *       "public": true
         *     }
         */
        NewFlag: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /**
             * @description Type of all variants
             * @enum {string}
             */
            type: "boolean" | "string" | "number" | "object";
            /** @description Variants by name. All have the type of the flag, and together they take at most 16384 bytes of JSON */
            variants: {
                [key: string]: components["schemas"]["FlagValue"];
            };
            /**
             * @description Name of a variant
             * @example on
             */
            defaultVariant: string;
            /**
             * @description Name of a variant
             * @example on
             */
            offVariant: string;
            /**
             * @description At most 300 characters
             * @example The new checkout
             */
            description?: string;
            /**
             * @description A disabled flag always serves `offVariant`
             * @enum {string}
             */
            state?: "enabled" | "disabled";
            /** @description The first rule that matches decides; without a match `defaultVariant` is served */
            rules?: components["schemas"]["NewFlagRule"][];
            /** @description Whether callers who are not signed in can evaluate the flag */
            public?: boolean;
            /** @description Whether the flag is meant to stay: it is never reported as stale */
            permanent?: boolean;
        };
        /** @description A targeting rule: who it applies to and which variant it serves */
        NewFlagRule: {
            /** @description Conditions that must all hold; without conditions the rule matches everyone */
            when: {
                /** @description The user has any of these roles */
                rolesAny?: string[];
                /** @description The targeting key is any of these; for a signed-in user it is the user id */
                users?: string[];
                /** @description All of these conditions hold; each holds for any of its values */
                attributes?: {
                    /**
                     * @description Name of a context property
                     * @example country
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description All of these conditions on the app settings of the signed-in user hold */
                appSettings?: {
                    /**
                     * @description Path of an app setting that is not an object or a list
                     * @example limits.projects
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description The caller is in any of these segments */
                segmentsAny?: string[];
                /**
                 * Format: date-time
                 * @description The rule begins to match at this time; stored in UTC with milliseconds
                 * @example 2026-12-01T08:00:00+01:00
                 */
                from?: string;
                /**
                 * Format: date-time
                 * @description From this time on the rule no longer matches; later than `from`
                 * @example 2026-12-01T08:00:00+01:00
                 */
                until?: string;
            };
            /** @description One variant, or a split between several */
            serve: {
                /**
                 * @description Name of a variant
                 * @example on
                 */
                variant: string;
            } | {
                split: {
                    /**
                     * @description Name of a variant
                     * @example on
                     */
                    variant: string;
                    /**
                     * Format: int32
                     * @description Share in thousandths of a percent; the weights of a split add up to 100000
                     */
                    weight: number;
                }[];
            };
        };
        /** @description A passkey to add */
        NewPasskey: {
            credential: components["schemas"]["PasskeyCreated"];
            /**
             * @description 1 to 40 characters
             * @example Laptop
             */
            name?: string;
            /**
             * @description Token of the enrolment link. Required for the first second factor of a user whose roles require one
             * @example Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM
             */
            token?: string;
        };
        /** @description A new password for a user */
        NewPassword: {
            /**
             * Format: password
             * @description 8 to 128 characters (code points in NFC); the minimum can be configured to be higher, and a password that is easy to guess is rejected
             * @example correct horse battery
             */
            password: string;
        };
        /** @description A new permission; the role `admin` is granted it at once */
        NewPermission: {
            /**
             * @description Unique permission key: a noun and a verb, separated by a colon
             * @example invoices:read
             */
            key: string;
            /**
             * @description At most 300 characters
             * @example Answers customer questions
             */
            description?: string;
        };
        /**
         * @description A new role
         * @example {
         *       "key": "support-agent",
         *       "name": "Support",
         *       "description": "Answers customer questions",
         *       "permissions": [
         *         "users:read"
         *       ]
         *     }
         */
        NewRole: {
            /**
             * @description Unique role key: lowercase letters, digits and hyphens
             * @example support-agent
             */
            key: string;
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Ada Lovelace
             */
            name: string;
            /**
             * @description At most 300 characters
             * @example Answers customer questions
             */
            description?: string;
            /** @description Whether the role counts only in sessions with a second factor */
            requiresSecondFactor?: boolean;
            /** @description Keys of its permissions; none by default */
            permissions?: string[];
        };
        /**
         * @description A new segment
         * @example {
         *       "key": "beta-testers",
         *       "when": {
         *         "rolesAny": [
         *           "admin"
         *         ]
         *       }
         *     }
         */
        NewSegment: {
            /**
             * @description Unique segment key, in the form of flag keys
             * @example beta-testers
             */
            key: string;
            /**
             * @description At most 300 characters
             * @example People who try new features first
             */
            description?: string;
            /** @description Conditions that must all hold for a caller who is in the segment */
            when: {
                /** @description The user has any of these roles */
                rolesAny?: string[];
                /** @description The targeting key is any of these; for a signed-in user it is the user id */
                users?: string[];
                /** @description All of these conditions hold; each holds for any of its values */
                attributes?: {
                    /**
                     * @description Name of a context property
                     * @example country
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description All of these conditions on the app settings of the signed-in user hold */
                appSettings?: {
                    /**
                     * @description Path of an app setting that is not an object or a list
                     * @example limits.projects
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
            };
        };
        /**
         * @description A new service
         * @example {
         *       "key": "reporting",
         *       "name": "Reporting",
         *       "description": "Writes the nightly report"
         *     }
         */
        NewService: {
            /**
             * @description Unique key of the service: lowercase letters, digits and hyphens
             * @example reporting
             */
            key: string;
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Reporting
             */
            name: string;
            /**
             * @description At most 300 characters
             * @example Writes the nightly report
             */
            description?: string;
        };
        /**
         * @description A new account with the role `user`
         * @example {
         *       "email": "grace@example.com",
         *       "name": "Grace Hopper",
         *       "password": "correct horse battery"
         *     }
         */
        NewUser: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email: string;
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Ada Lovelace
             */
            name: string;
            /**
             * Format: password
             * @description 8 to 128 characters (code points in NFC); the minimum can be configured to be higher, and a password that is easy to guess is rejected. Without a password the user cannot sign in until one is set
             * @example correct horse battery
             */
            password?: string;
            /**
             * @description Theme of the app
             * @enum {string}
             */
            theme?: "light" | "dark" | "system";
            profile?: components["schemas"]["ProfilePatch"];
            /**
             * @description Whether the user can sign in
             * @enum {string}
             */
            status?: "active" | "deactivated";
            /** @description Whether the e-mail address counts as confirmed; false by default */
            emailVerified?: boolean;
        };
        /**
         * @description User settings that replace all others; those that are left out get their default
         * @example {}
         */
        NewUserSettings: {
            [key: string]: unknown;
        };
        /** @description A mail in the outbox, without its full address and its contents */
        OutboxMessage: {
            /**
             * Format: uuid
             * @description Mail id; the Message-ID begins with it
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description Kind of the mail
             * @example recovery
             */
            kind: string;
            /**
             * @description Id of the user to whom the mail belongs, if there is one
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            userId: string | null;
            /**
             * @description Address that it is for: the first character and the domain. Null until it is known
             * @example a…@example.com
             */
            recipient: string | null;
            /** @description This user; null for callers without `users:read` */
            user: {
                /**
                 * Format: uuid
                 * @description User id; never changes
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /** @example Ada Lovelace */
                name: string;
                /**
                 * @description E-mail address as the user entered it
                 * @example ada@example.com
                 */
                email: string;
            } | null;
            /**
             * @description `pending`: waits for delivery; `sent`: accepted by the mail server; `dead`: refused for good; `dropped`: expired, or there was nobody to send it to; `caught`: kept and not sent, in development
             * @enum {string}
             */
            state: "pending" | "sent" | "dead" | "dropped" | "caught";
            /**
             * Format: int32
             * @description Number of deliveries in which the mail server was reached
             * @example 1
             */
            attempts: number;
            /**
             * @description Why the last delivery failed
             * @example smtp 451
             */
            lastError: string | null;
            /**
             * Format: date-time
             * @description Time of the next delivery, while the mail is pending
             * @example 2026-01-31T09:30:00.000Z
             */
            nextAt: string;
            /**
             * Format: date-time
             * @description Time after which the mail is no longer delivered
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Time at which the mail was written
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Time at which the mail was sent, dropped, caught or refused for good
             * @example 2026-01-31T09:30:00.000Z
             */
            doneAt: string | null;
        };
        /** @description A page of the outbox */
        OutboxPage: {
            items: components["schemas"]["OutboxMessage"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description State of the portal */
        Overview: {
            /**
             * @description Version of the portal
             * @example 0.1.0
             */
            version: string;
            /** @description Whether this instance can take traffic */
            ready: boolean;
            /**
             * @description Why it is not ready, as in `GET /health`
             * @enum {string|null}
             */
            reason: "starting" | "draining" | "database" | "migrations" | "epochs" | null;
            /** @description The database */
            database: {
                /**
                 * @description Database engine
                 * @enum {string}
                 */
                engine: "postgresql" | "pglite";
                /**
                 * Format: int32
                 * @description Major version of PostgreSQL
                 */
                version: number;
                /**
                 * @description Engine and location of the database
                 * @example PostgreSQL at 127.0.0.1:5432/portal
                 */
                label: string;
            };
            /** @description Users, deactivated ones included */
            users: {
                /**
                 * Format: int32
                 * @description Number of users or sessions
                 * @example 1
                 */
                count: number;
                /** @description Whether the number is an estimate from the database's statistics, as it is for large tables */
                approximate: boolean;
            };
            /** @description Users whose password is still hashed as another system did */
            foreignHashes: {
                /**
                 * Format: int32
                 * @description Number of users or sessions
                 * @example 1
                 */
                count: number;
                /** @description Whether the number is an estimate from the database's statistics, as it is for large tables */
                approximate: boolean;
            };
            /** @description Active sessions */
            liveSessions: {
                /**
                 * Format: int32
                 * @description Number of users or sessions
                 * @example 1
                 */
                count: number;
                /** @description Whether the number is an estimate from the database's statistics, as it is for large tables */
                approximate: boolean;
            };
            /** @description Mail in the outbox */
            outbox: {
                /**
                 * Format: int32
                 * @description Number of mails that wait for delivery
                 * @example 1
                 */
                pending: number;
                /**
                 * @description Age of the oldest pending mail in seconds; 0 if there is none
                 * @example 0
                 */
                oldestSeconds: number;
                /**
                 * Format: int32
                 * @description Number of mails that were refused for good
                 * @example 1
                 */
                dead: number;
            };
            /**
             * Format: int32
             * @description Number of accounts with more attempts in the last 24 hours than the rate limits allow
             * @example 1
             */
            limitedAccounts: number;
            /**
             * Format: int32
             * @description Number of clean-up jobs that have not finished for more than a day
             * @example 1
             */
            lateJobs: number;
        };
        /** @description An active session of the current user */
        OwnSession: {
            /**
             * Format: uuid
             * @description Session id; not the secret in the cookie
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * Format: uuid
             * @description User id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            userId: string;
            /**
             * Format: date-time
             * @description Time of the sign-in
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last request, to the minute
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description Time at which the session expires at the latest
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Time of the revocation
             * @example 2026-01-31T09:30:00.000Z
             */
            revokedAt: string | null;
            /**
             * @description Reason for the revocation
             * @enum {string|null}
             */
            revokeReason: "logout" | "replaced" | "session-limit" | "revoked" | "password-change" | "password-reset" | "second-factor" | "provider" | "deactivated" | null;
            /**
             * Format: int32
             * @description Number of factors that were proved in this session
             * @enum {integer}
             */
            assurance: 1 | 2;
            /**
             * @description IP address at sign-in
             * @example 203.0.113.7
             */
            ip: string | null;
            /**
             * @description User agent at sign-in
             * @example Mozilla/5.0
             */
            userAgent: string | null;
            /** @description Whether this is the session of the request */
            current: boolean;
        };
        /** @description A page of the current user's active sessions */
        OwnSessionPage: {
            items: components["schemas"]["OwnSession"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description An API key and its owner, without its secret */
        OwnedApiKey: {
            /**
             * Format: uuid
             * @description Id of the key; not secret
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description What the key is for
             * @example Nightly report
             */
            name: string;
            /**
             * @description End of the key, by which it is recognized
             * @example x7Qa
             */
            lastFour: string;
            /**
             * @description Whether the key has ended, and why
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
            /** @description Permissions to which the key is limited; null for all of its owner */
            permissions: string[] | null;
            /** @description Networks from which the key works; null for all */
            networks: string[] | null;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time from which the key is not valid
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Time of its revocation
             * @example 2026-01-31T09:30:00.000Z
             */
            revokedAt: string | null;
            /**
             * @description Time of the last use, written once a minute
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /** @description On whose behalf the key acts */
            owner: {
                /**
                 * @description Kind of owner
                 * @enum {string}
                 */
                type: "user" | "service";
                /**
                 * Format: uuid
                 * @description Id of the user or the service
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /**
                 * @description E-mail address of the user, or key of the service
                 * @example reporting
                 */
                label: string;
            };
        };
        /** @description A page of API keys and their owners */
        OwnedApiKeyPage: {
            items: components["schemas"]["OwnedApiKey"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description A passkey of the current user */
        Passkey: {
            /**
             * Format: uuid
             * @description Passkey id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description Name that the user chose, else the model of the device or the browser
             * @example Laptop
             */
            name: string;
            /**
             * @description Id that the device chose for the passkey, as base64url
             * @example q83vEjRWeJA
             */
            credentialId: string;
            /**
             * @description Host name that the passkey is created for (RP ID)
             * @example portal.example.com
             */
            rpId: string;
            /**
             * @description `single`: bound to one device; `multi`: may be copied to others
             * @enum {string}
             */
            deviceType: "single" | "multi";
            /** @description Whether the passkey is backed up */
            backedUp: boolean;
            /**
             * Format: date-time
             * @description Time at which it was added
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Time of the last authentication with it
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string | null;
        };
        /** @description An assertion by a passkey: `toJSON()` of the result of `navigator.credentials.get` */
        PasskeyAssertion: {
            /**
             * @description Id that the device chose for the passkey, as base64url
             * @example q83vEjRWeJA
             */
            id: string;
            /**
             * @description Id that the device chose for the passkey, as base64url
             * @example q83vEjRWeJA
             */
            rawId: string;
            /**
             * @description Kind of credential
             * @enum {string}
             */
            type: "public-key";
            /** @description Response of the device */
            response: {
                /**
                 * @description Client data, in JSON, as base64url
                 * @example q83vEjRWeJA
                 */
                clientDataJSON: string;
                /**
                 * @description Authenticator data, as base64url
                 * @example q83vEjRWeJA
                 */
                authenticatorData: string;
                /**
                 * @description Signature of the authenticator data and the client data, as base64url
                 * @example q83vEjRWeJA
                 */
                signature: string;
                /**
                 * @description User id, as 16 bytes, as base64url
                 * @example q83vEjRWeJA
                 */
                userHandle?: string | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Results of extensions */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A new passkey: `toJSON()` of the result of `navigator.credentials.create` */
        PasskeyCreated: {
            /**
             * @description Id that the device chose for the passkey, as base64url
             * @example q83vEjRWeJA
             */
            id: string;
            /**
             * @description Id that the device chose for the passkey, as base64url
             * @example q83vEjRWeJA
             */
            rawId: string;
            /**
             * @description Kind of credential
             * @enum {string}
             */
            type: "public-key";
            /** @description Response of the device */
            response: {
                /**
                 * @description Client data, in JSON, as base64url
                 * @example q83vEjRWeJA
                 */
                clientDataJSON: string;
                /**
                 * @description The new passkey, in CBOR, as base64url
                 * @example q83vEjRWeJA
                 */
                attestationObject: string;
                /** @description How the device can be reached */
                transports?: string[];
            } & {
                [key: string]: unknown;
            };
            /** @description Results of extensions */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON` */
        PasskeyCreationOptions: {
            rp: {
                /**
                 * @description Host name that the passkey is created for (RP ID)
                 * @example portal.example.com
                 */
                id: string;
                /** @example portal */
                name: string;
            };
            user: {
                /**
                 * @description User id, as 16 bytes, as base64url
                 * @example q83vEjRWeJA
                 */
                id: string;
                /** @example ada@example.com */
                name: string;
                /** @example Ada Lovelace */
                displayName: string;
            };
            /**
             * @description Challenge that can be answered once, within five minutes, as base64url
             * @example q83vEjRWeJA
             */
            challenge: string;
            pubKeyCredParams: {
                /**
                 * @description Kind of credential
                 * @enum {string}
                 */
                type: "public-key";
                /**
                 * Format: int32
                 * @description COSE algorithm
                 */
                alg: number;
            }[];
            /**
             * Format: int32
             * @description Milliseconds
             * @example 300000
             */
            timeout: number;
            /** @description Passkeys that the user already has */
            excludeCredentials: {
                /**
                 * @description Kind of credential
                 * @enum {string}
                 */
                type: "public-key";
                /**
                 * @description Id that the device chose for the passkey, as base64url
                 * @example q83vEjRWeJA
                 */
                id: string;
                transports: string[];
            }[];
            authenticatorSelection: {
                /** @enum {string} */
                residentKey: "required";
                requireResidentKey: boolean;
                /** @enum {string} */
                userVerification: "required";
            };
            /** @enum {string} */
            attestation: "none";
        };
        /** @description The current user's passkeys */
        PasskeyPage: {
            items: components["schemas"]["Passkey"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description A new name for a passkey */
        PasskeyPatch: {
            /**
             * @description 1 to 40 characters
             * @example Laptop
             */
            name: string;
        };
        /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` */
        PasskeyRequestOptions: {
            /**
             * @description Challenge that can be answered once, within five minutes, as base64url
             * @example q83vEjRWeJA
             */
            challenge: string;
            /**
             * Format: int32
             * @description Milliseconds
             * @example 300000
             */
            timeout: number;
            /**
             * @description Host name that the passkey is created for (RP ID)
             * @example portal.example.com
             */
            rpId: string;
            /** @enum {string} */
            userVerification: "required";
            /** @description Passkeys of the user */
            allowCredentials?: {
                /**
                 * @description Kind of credential
                 * @enum {string}
                 */
                type: "public-key";
                /**
                 * @description Id that the device chose for the passkey, as base64url
                 * @example q83vEjRWeJA
                 */
                id: string;
                transports: string[];
            }[];
        };
        /** @description A passkey to sign in with */
        PasskeySignIn: {
            credential: components["schemas"]["PasskeyAssertion"];
            /** @description Whether to restore the account if the user has asked for its deletion */
            restore?: boolean;
        };
        /**
         * @description A new password
         * @example {
         *       "currentPassword": "correct horse battery",
         *       "newPassword": "another horse battery"
         *     }
         */
        PasswordChange: {
            /**
             * Format: password
             * @description Required if the account has a password
             * @example correct horse battery
             */
            currentPassword?: string;
            /**
             * Format: password
             * @description 8 to 128 characters (code points in NFC); the minimum can be configured to be higher, and a password that is easy to guess is rejected
             * @example correct horse battery
             */
            newPassword: string;
        };
        /** @description A one-time token and a new password */
        PasswordReset: {
            /**
             * @description The token of the link in the mail
             * @example Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM
             */
            token: string;
            /**
             * Format: password
             * @description 8 to 128 characters (code points in NFC); the minimum can be configured to be higher, and a password that is easy to guess is rejected
             * @example correct horse battery
             */
            newPassword: string;
        };
        /** @description A permission that the portal or the app requires */
        Permission: {
            /**
             * @description Unique permission key: a noun and a verb, separated by a colon
             * @example invoices:read
             */
            key: string;
            /** @example Answers customer questions */
            description: string;
            /** @description Whether it is part of the portal and cannot be renamed or deleted */
            system: boolean;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        /** @description A page of permissions */
        PermissionPage: {
            items: components["schemas"]["Permission"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description Merge patch: omitted fields keep their value */
        PermissionPatch: {
            /**
             * @description At most 300 characters
             * @example Answers customer questions
             */
            description?: string;
        };
        /** @description When the account is deleted */
        PlannedDeletion: {
            /**
             * Format: date-time
             * @description When the account is deleted, unless it is restored before
             * @example 2026-01-31T09:30:00.000Z
             */
            deleteAt: string;
        };
        /**
         * @description A problem document (RFC 9457)
         * @example {
         *       "type": "/problems/invalid-request",
         *       "title": "The request is not valid",
         *       "status": 400,
         *       "code": "invalid-request",
         *       "detail": "Some of the input is not valid. Correct it and try again.",
         *       "instance": "urn:uuid:5e2d5f0c-8f8e-4f0b-9b62-0d2c8a4b7f11",
         *       "errors": [
         *         {
         *           "pointer": "/password",
         *           "code": "too-short",
         *           "message": "At least 8 characters"
         *         }
         *       ]
         *     }
         */
        Problem: {
            /** @description Problem type: a path that ends with `code` */
            type: string;
            /** @description Short summary of the problem type */
            title: string;
            /**
             * Format: int32
             * @description HTTP status code
             */
            status: number;
            code: components["schemas"]["ProblemCode"];
            /** @description What is wrong and what to do, to be shown to the user as it is */
            detail: string;
            /** @description Request id of this occurrence, as in X-Request-Id and the log */
            instance: string;
            /** @description Fields to correct; only with status 400 */
            errors?: {
                /** @description JSON Pointer (RFC 6901) into the request body, or /query/…, /path/… or /header/… for other parts of the request */
                pointer: string;
                code: components["schemas"]["FieldCode"];
                /** @description Explanation for people */
                message: string;
            }[];
            /**
             * Format: date-time
             * @description When the account will be deleted; only with `deletion-pending`
             * @example 2026-01-31T09:30:00.000Z
             */
            deleteAt?: string;
            /** @description How the user can authenticate again; only with `reauthentication-required` */
            methods?: ("password" | "totp" | "passkey" | "provider")[];
            /** @description Providers with which the user can authenticate again; only with `reauthentication-required` */
            providers?: components["schemas"]["ShownProvider"][];
            /**
             * Format: int32
             * @description Seconds for which an authentication is recent; only with `reauthentication-required`
             */
            maxAge?: number;
        };
        /**
         * @description Stable code for programs. Each operation lists those that it can send
         * @enum {string}
         */
        ProblemCode: "account-exists" | "activity-record-not-found" | "body-too-large" | "console-ended" | "cross-site" | "database-unavailable" | "deletion-pending" | "deletion-waits" | "email-taken" | "email-unverified" | "email-verified" | "enrolment-link-not-needed" | "enrolment-link-waits" | "enrolment-not-begun" | "enrolment-token-required" | "exceeds-own-permissions" | "expectation-failed" | "flag-exists" | "flag-not-found" | "flow-expired" | "headers-too-large" | "host-not-allowed" | "internal-error" | "invalid-code" | "invalid-credentials" | "invalid-cursor" | "invalid-passkey" | "invalid-request" | "invalid-token" | "key-network" | "key-not-found" | "last-admin" | "last-second-factor" | "last-sign-in-method" | "login-expired" | "mail-finished" | "mail-not-found" | "mail-off" | "malformed-json" | "malformed-request" | "managed-by-provider" | "method-not-allowed" | "no-second-factor" | "not-found" | "original-method-missing" | "overloaded" | "passkey-exists" | "passkey-not-found" | "passkey-refused" | "permission-denied" | "permission-exists" | "permission-not-found" | "precondition-failed" | "provider-account-not-found" | "provider-account-taken" | "provider-email-missing" | "provider-refused" | "provider-required" | "provider-unavailable" | "rate-limited" | "read-only" | "reauthentication-required" | "registration-closed" | "request-rejected" | "request-timeout" | "revision-not-found" | "revision-not-restorable" | "role-exists" | "role-not-found" | "second-factor-required" | "second-factor-unreadable" | "segment-exists" | "segment-in-use" | "segment-not-found" | "service-exists" | "service-not-found" | "session-not-found" | "settings-off" | "sign-in-refused" | "system-entity" | "targeting-key-missing" | "too-many-keys" | "too-many-passkeys" | "too-many-providers" | "too-many-segments" | "two-credentials" | "unauthenticated" | "unknown-passkey" | "unknown-provider" | "unsupported-media-type" | "uri-too-long" | "user-deactivated" | "user-not-found" | "wrong-code" | "wrong-passkey" | "wrong-password";
        /** @description Profile of a user */
        Profile: {
            /** @example Wrote the first program. */
            bio: string | null;
            /**
             * @description https URL of an image
             * @example https://example.com/ada.png
             */
            avatarUrl: string | null;
            /**
             * @description https URL
             * @example https://example.com/
             */
            website: string | null;
            /** @example London */
            location: string | null;
            /** @example she/her */
            pronouns: string | null;
            /**
             * @description Language tag (BCP 47)
             * @example en-GB
             */
            locale: string | null;
            /**
             * @description Time zone name (IANA time zone database)
             * @example Europe/London
             */
            timeZone: string | null;
        };
        /** @description Merge patch: omitted fields keep their value, null clears a field */
        ProfilePatch: {
            /** @example Wrote the first program. */
            bio?: string | null;
            /**
             * @description https URL of an image
             * @example https://example.com/ada.png
             */
            avatarUrl?: string | null;
            /**
             * @description https URL
             * @example https://example.com/
             */
            website?: string | null;
            /** @example London */
            location?: string | null;
            /** @example she/her */
            pronouns?: string | null;
            /**
             * @description Language tag (BCP 47)
             * @example en-GB
             */
            locale?: string | null;
            /**
             * @description Time zone name (IANA time zone database)
             * @example Europe/London
             */
            timeZone?: string | null;
        };
        /** @description An account at a provider that is linked to a user */
        ProviderAccount: {
            /**
             * Format: uuid
             * @description Id of the linked account
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description Key of a provider
             * @example google
             */
            provider: string;
            /**
             * @description Name of the provider
             * @example Google
             */
            name: string;
            /**
             * @description E-mail address at the provider, as it last said
             * @example ada@example.com
             */
            email: string | null;
            /**
             * Format: date-time
             * @description Time at which it was linked
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Time of the last sign-in with it
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string | null;
        };
        /** @description The current user's linked accounts */
        ProviderAccountPage: {
            items: components["schemas"]["ProviderAccount"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description A way through a provider
         * @example {
         *       "intent": "sign-in"
         *     }
         */
        ProviderFlow: {
            /**
             * @description `sign-in`: sign in or register; `link`: link an account to the signed-in user; `reauthenticate`: authenticate again; `confirm`: confirm the address of a registration
             * @enum {string}
             */
            intent: "sign-in" | "link" | "reauthenticate" | "confirm";
            /**
             * @description Where the browser is led afterwards, by default to the app. It must be at the origin of the portal or of an app
             * @example /
             */
            returnTo?: string;
            /**
             * @description Where the browser is led with `problem` and `provider` in the query when something is left to do, by default to the page to sign in. It must be at the origin of the portal or of an app
             * @example /
             */
            errorTo?: string;
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email?: string;
            /** @description Whether to restore the account if the user has asked for its deletion */
            restore?: boolean;
            /** @description The token of the link in the mail; only for `confirm` */
            token?: string;
        };
        /** @description The e-mail address of somebody who wants to sign in */
        ProviderSearch: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email: string;
        };
        /** @description Where the browser goes next */
        ProviderStart: {
            /**
             * Format: uri
             * @description URL at the provider, to which the app leads the browser
             * @example https://accounts.google.com/o/oauth2/v2/auth?client_id=portal
             */
            url: string;
        };
        /** @description The session after the user has authenticated again */
        Reauthenticated: {
            session: components["schemas"]["CurrentSession"];
        };
        /**
         * @description Exactly one of `password`, `code` and `credential`
         * @example {
         *       "password": "correct horse battery"
         *     }
         */
        Reauthentication: {
            /**
             * Format: password
             * @example correct horse battery
             */
            password?: string;
            /**
             * @description One-time code from the authenticator app: six digits, as text
             * @example 492039
             */
            code?: string;
            credential?: components["schemas"]["PasskeyAssertion"];
        };
        /** @description The e-mail address of an account */
        Recovery: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email: string;
        };
        /** @description New recovery codes, which are shown once */
        RecoveryCodes: {
            /** @description Recovery codes; each can be used once */
            recoveryCodes: string[];
        };
        /** @description The new account; it is not signed in */
        Registered: {
            user: components["schemas"]["CurrentUser"];
        };
        /** @description A new account */
        Registration: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description 8 to 128 characters (code points in NFC); the minimum can be configured to be higher, and a password that is easy to guess is rejected
             * @example correct horse battery
             */
            password: string;
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Ada Lovelace
             */
            name: string;
        };
        /**
         * @description The version to restore
         * @example {
         *       "version": 1
         *     }
         */
        Restoration: {
            /**
             * Format: int32
             * @description Version, which is also the ETag
             * @example 1
             */
            version: number;
        };
        /** @description A role: a named set of permissions that is granted to users */
        Role: {
            /**
             * Format: uuid
             * @description Role id; never changes
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description Unique role key: lowercase letters, digits and hyphens
             * @example support-agent
             */
            key: string;
            /** @example Support */
            name: string;
            /** @example Answers customer questions */
            description: string;
            /** @description Whether it is part of the portal and cannot be renamed or deleted */
            system: boolean;
            /** @description Whether the role counts only in sessions with a second factor */
            requiresSecondFactor: boolean;
            /** @description Keys of its permissions */
            permissions: string[];
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change, including changes of its permissions
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description A page of roles */
        RolePage: {
            items: components["schemas"]["Role"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description Merge patch: omitted fields keep their value
         * @example {
         *       "description": "Answers questions of customers"
         *     }
         */
        RolePatch: {
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Ada Lovelace
             */
            name?: string;
            /**
             * @description At most 300 characters
             * @example Answers customer questions
             */
            description?: string;
            /** @description Whether the role counts only in sessions with a second factor */
            requiresSecondFactor?: boolean;
        };
        /** @description The password is right, but the user is not signed in before the second factor */
        SecondFactorDue: {
            /**
             * @description The step that completes the sign-in
             * @enum {string}
             */
            next: "second-factor";
            /** @description Second factors that the user has */
            methods: ("totp" | "passkey" | "recovery-code")[];
            /**
             * Format: date-time
             * @description Time until which the sign-in can be completed
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
        };
        /**
         * @description Whether signing in with the password requires a second factor
         * @example {
         *       "required": false
         *     }
         */
        SecondFactorSetting: {
            /** @description Whether signing in with the password requires a second factor */
            required: boolean;
        };
        /** @description How the current user signs in */
        Security: {
            /** @description Whether the user can sign in with a password */
            hasPassword: boolean;
            /** @description Whether the e-mail address is confirmed */
            emailVerified: boolean;
            /** @description Whether signing in with the password requires a second factor */
            secondFactor: boolean;
            /** @description The authenticator app */
            totp: {
                /**
                 * Format: date-time
                 * @description Time at which it was set up
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
            } | null;
            /**
             * Format: int32
             * @description Number of passkeys
             * @example 1
             */
            passkeys: number;
            /**
             * Format: int32
             * @description Number of unused recovery codes
             * @example 1
             */
            recoveryCodesLeft: number;
            /** @description Keys of the user's roles that require a second factor */
            requiredByRoles: string[];
        };
        /** @description What a user gets in a session */
        SeenUser: {
            /**
             * Format: int32
             * @description Number of factors proved in the user's session
             */
            assurance: number;
            /** @description `user` of `GET /api/auth/me` in such a session; null for a deactivated user */
            user: components["schemas"]["CurrentUser"] | null;
            /** @description The permissions of all of the user's roles */
            permissions: {
                /**
                 * @description Key of the permission
                 * @example profile:read
                 */
                key: string;
                /** @description Keys of the roles that give it in this session */
                grantedBy: string[];
                /** @description Keys of the roles that give it only with a second factor */
                withheldBy: string[];
            }[];
        };
        /** @description A group of callers, to which rules of many flags can refer */
        Segment: {
            /**
             * @description Unique segment key, in the form of flag keys
             * @example beta-testers
             */
            key: string;
            /** @example People who try new features first */
            description: string;
            /** @description Conditions that must all hold for a caller who is in the segment */
            when: {
                /** @description The user has any of these roles */
                rolesAny?: string[];
                /** @description The targeting key is any of these; for a signed-in user it is the user id */
                users?: string[];
                /** @description All of these conditions hold; each holds for any of its values */
                attributes?: {
                    /**
                     * @description Name of a context property
                     * @example country
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description All of these conditions on the app settings of the signed-in user hold */
                appSettings?: {
                    /**
                     * @description Path of an app setting that is not an object or a list
                     * @example limits.projects
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
            };
            /** @description Keys of the flags whose rules name the segment */
            usedBy: string[];
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description A page of segments */
        SegmentPage: {
            items: components["schemas"]["Segment"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description Omitted fields keep their value; `when` is replaced as a whole
         * @example {
         *       "when": {
         *         "users": [
         *           "0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e"
         *         ]
         *       }
         *     }
         */
        SegmentPatch: {
            /**
             * @description At most 300 characters
             * @example People who try new features first
             */
            description?: string;
            /** @description Conditions that must all hold for a caller who is in the segment */
            when?: {
                /** @description The user has any of these roles */
                rolesAny?: string[];
                /** @description The targeting key is any of these; for a signed-in user it is the user id */
                users?: string[];
                /** @description All of these conditions hold; each holds for any of its values */
                attributes?: {
                    /**
                     * @description Name of a context property
                     * @example country
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
                /** @description All of these conditions on the app settings of the signed-in user hold */
                appSettings?: {
                    /**
                     * @description Path of an app setting that is not an object or a list
                     * @example limits.projects
                     */
                    name: string;
                    /**
                     * @description Comparison operator
                     * @enum {string}
                     */
                    op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                    values: (string | number | boolean)[];
                }[];
            };
        };
        /** @description A saved state of a segment */
        SegmentRevision: {
            /**
             * Format: int32
             * @description Version, which is also the ETag
             * @example 1
             */
            version: number;
            /**
             * @description What was done; `found` is a state that was written by a version that kept no history
             * @enum {string}
             */
            change: "create" | "update" | "delete" | "restore" | "import" | "found";
            /** @description Names of the changed fields */
            fields: string[];
            /**
             * Format: date-time
             * @description Time of the change
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /**
             * @description Kind of actor
             * @enum {string|null}
             */
            actorType: "user" | "cli" | "system" | "anonymous" | "service" | null;
            /**
             * @description Id of the user who acted; null for callers without `activity:read`
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            actorId: string | null;
            /** @description E-mail address of the actor at that time, or name of the operator; null for callers without `activity:read`, and after the retention of the activity */
            actorLabel: string | null;
            /** @description The segment after the change; null after a deletion */
            definition: {
                /** @example People who try new features first */
                description: string;
                /** @description Conditions that must all hold for a caller who is in the segment */
                when: {
                    /** @description The user has any of these roles */
                    rolesAny?: string[];
                    /** @description The targeting key is any of these; for a signed-in user it is the user id */
                    users?: string[];
                    /** @description All of these conditions hold; each holds for any of its values */
                    attributes?: {
                        /**
                         * @description Name of a context property
                         * @example country
                         */
                        name: string;
                        /**
                         * @description Comparison operator
                         * @enum {string}
                         */
                        op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                        values: (string | number | boolean)[];
                    }[];
                    /** @description All of these conditions on the app settings of the signed-in user hold */
                    appSettings?: {
                        /**
                         * @description Path of an app setting that is not an object or a list
                         * @example limits.projects
                         */
                        name: string;
                        /**
                         * @description Comparison operator
                         * @enum {string}
                         */
                        op: "in" | "notIn" | "startsWith" | "endsWith" | "contains" | "lt" | "lte" | "gt" | "gte";
                        values: (string | number | boolean)[];
                    }[];
                };
            } | null;
        };
        /** @description A page of the history of a segment */
        SegmentRevisionPage: {
            items: components["schemas"]["SegmentRevision"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description A service: an account of a machine */
        Service: {
            /**
             * Format: uuid
             * @description Service id; never changes
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description Unique key of the service: lowercase letters, digits and hyphens
             * @example reporting
             */
            key: string;
            /** @example Reporting */
            name: string;
            /** @example Writes the nightly report */
            description: string;
            /**
             * @description Whether the keys of the service work
             * @enum {string}
             */
            status: "active" | "deactivated";
            /** @description Keys of its roles */
            roles: string[];
            /** @description Keys of all permissions of its roles, without roles that require a second factor: they never count for a service */
            permissions: string[];
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description A page of services */
        ServicePage: {
            items: components["schemas"]["Service"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description Merge patch: omitted fields keep their value
         * @example {
         *       "description": "Writes the weekly report"
         *     }
         */
        ServicePatch: {
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Reporting
             */
            name?: string;
            /**
             * @description At most 300 characters
             * @example Writes the nightly report
             */
            description?: string;
            /**
             * @description Whether the keys of the service work
             * @enum {string}
             */
            status?: "active" | "deactivated";
        };
        /** @description A session */
        Session: {
            /**
             * Format: uuid
             * @description Session id; not the secret in the cookie
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * Format: uuid
             * @description User id
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            userId: string;
            /**
             * Format: date-time
             * @description Time of the sign-in
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last request, to the minute
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description Time at which the session expires at the latest
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Time of the revocation
             * @example 2026-01-31T09:30:00.000Z
             */
            revokedAt: string | null;
            /**
             * @description Reason for the revocation
             * @enum {string|null}
             */
            revokeReason: "logout" | "replaced" | "session-limit" | "revoked" | "password-change" | "password-reset" | "second-factor" | "provider" | "deactivated" | null;
            /**
             * Format: int32
             * @description Number of factors that were proved in this session
             * @enum {integer}
             */
            assurance: 1 | 2;
            /**
             * @description IP address at sign-in
             * @example 203.0.113.7
             */
            ip: string | null;
            /**
             * @description User agent at sign-in
             * @example Mozilla/5.0
             */
            userAgent: string | null;
            /** @description The user; null for callers without `users:read` */
            user: {
                /**
                 * Format: uuid
                 * @description User id; never changes
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /** @example Ada Lovelace */
                name: string;
                /**
                 * @description E-mail address as the user entered it
                 * @example ada@example.com
                 */
                email: string;
            } | null;
        };
        /** @description A page of sessions */
        SessionPage: {
            items: components["schemas"]["Session"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description What settings may contain */
        SettingsSchema: {
            /** @description JSON Schema of the user settings */
            user: {
                [key: string]: unknown;
            };
            /** @description JSON Schema of the app settings */
            app: {
                [key: string]: unknown;
            };
        };
        /** @description A provider to sign in with */
        ShownProvider: {
            /**
             * @description Key of a provider
             * @example google
             */
            key: string;
            /**
             * @description What kind of provider it is
             * @enum {string}
             */
            kind: "google" | "microsoft" | "apple" | "github" | "oidc";
            /**
             * @description Name of the provider
             * @example Google
             */
            name: string;
        };
        /** @description The settings from which an app renders its sign-in pages */
        SignInOptions: {
            /**
             * @description Whether visitors can register
             * @enum {string}
             */
            registration: "open" | "closed";
            /**
             * @description Whether users confirm their e-mail address
             * @enum {string}
             */
            emailVerification: "off" | "optional" | "required";
            /** @description Providers that everybody can sign in with */
            providers: components["schemas"]["ShownProvider"][];
            /** @description Whether addresses of some domains have a provider of their own: then ask for the address first, and `findProvider` returns it */
            providersByDomain: boolean;
            /** @description Whether users can ask for a link by mail */
            passwordReset: boolean;
            /**
             * Format: int32
             * @description Minimum length of a new password
             * @example 8
             */
            passwordMinLength: number;
            /**
             * Format: int32
             * @description Days in which users can restore an account that they delete; 0: not at all
             */
            deletionGraceDays: number;
            /** @description Whether users can sign in with a passkey */
            passkeys: boolean;
            /**
             * @description URL below which links in mail find their pages
             * @example https://app.example.com/account
             */
            accountUrl: string | null;
        };
        /** @description The signed-in user and their session */
        SignedIn: {
            user: components["schemas"]["CurrentUser"];
            session: components["schemas"]["CurrentSession"];
        };
        /** @description A flag that has nothing left to decide */
        StaleFlag: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /**
             * @description `disabled`; `rolled-out`: everybody gets one variant, without rules or by the first one; `one-variant`: at least 100 evaluations in these days, all of one variant; `unused`: no evaluation in these days, although older ones of any flag were counted
             * @enum {string}
             */
            reason: "disabled" | "rolled-out" | "one-variant" | "unused";
            /**
             * Format: date-time
             * @description Time of the last change
             * @example 2026-01-31T09:30:00.000Z
             */
            since: string;
            /**
             * @description What everybody gets; null if unknown
             * @example on
             */
            variant: string | null;
        };
        /** @description A page of stale flags */
        StaleFlagPage: {
            items: components["schemas"]["StaleFlag"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description The theme of the app */
        Theme: {
            /**
             * @description Theme of the app
             * @enum {string}
             */
            theme: "light" | "dark" | "system";
        };
        /** @description The first code from an authenticator app */
        TotpConfirmation: {
            /**
             * @description One-time code from the authenticator app: six digits, as text
             * @example 492039
             */
            code: string;
            /**
             * @description Token of the enrolment link. Required for the first second factor of a user whose roles require one
             * @example Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM
             */
            token?: string;
        };
        /** @description The secret of an authenticator app, which is shown once */
        TotpEnrolment: {
            /**
             * @description The secret in base32, to type into the app
             * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
             */
            secret: string;
            /**
             * Format: uri
             * @description The secret as an `otpauth://` link, for an app on the same device
             * @example otpauth://totp/portal:ada%40example.com?issuer=portal&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30
             */
            uri: string;
            /** @description The link as a QR code, in SVG without styles or scripts */
            qr: string;
        };
        /** @description Not ready to take traffic */
        Unavailable: {
            /** @enum {string} */
            status: "unavailable";
            /**
             * @description `starting`: not ready yet; `draining`: shutting down; `database`: the database is unavailable; `migrations`: the database schema is older than the portal; `epochs`: rows of the epochs are missing, which `portal refresh` adds
             * @enum {string}
             */
            reason: "starting" | "draining" | "database" | "migrations" | "epochs";
        };
        /** @description A user as shown to administrators */
        User: {
            /**
             * Format: uuid
             * @description User id; never changes
             * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
             */
            id: string;
            /**
             * @description E-mail address as the user entered it
             * @example ada@example.com
             */
            email: string;
            /** @description Whether the user has confirmed the address */
            emailVerified: boolean;
            /** @example Ada Lovelace */
            name: string;
            /**
             * @description Theme of the app
             * @enum {string}
             */
            theme: "light" | "dark" | "system";
            profile: components["schemas"]["Profile"];
            /**
             * @description Whether the user can sign in
             * @enum {string}
             */
            status: "active" | "deactivated";
            /** @description Keys of the user's roles */
            roles: string[];
            /** @description Whether signing in with the password requires a second factor */
            secondFactor: boolean;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Time of the last sign-in
             * @example 2026-01-31T09:30:00.000Z
             */
            lastLoginAt: string | null;
            /**
             * @description When the account is deleted, as its user has asked; the user can still restore it
             * @example 2026-01-31T09:30:00.000Z
             */
            deleteAt: string | null;
        };
        /** @description The second factors and linked accounts of a user, as shown to administrators */
        UserFactors: {
            /** @description Whether signing in with the password requires a second factor */
            secondFactor: boolean;
            /** @description Keys of the user's roles that require a second factor */
            requiredByRoles: string[];
            /** @description The authenticator app */
            totp: {
                /**
                 * Format: date-time
                 * @description Time at which it was set up
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * @description Time of the last code, to within a minute
                 * @example 2026-01-31T09:30:00.000Z
                 */
                lastUsedAt: string | null;
            } | null;
            /** @description Passkeys, oldest first */
            passkeys: {
                /**
                 * Format: uuid
                 * @description Passkey id
                 * @example 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e
                 */
                id: string;
                /**
                 * @description Name that the user chose, else the model of the device or the browser
                 * @example Laptop
                 */
                name: string;
                /**
                 * @description Host name that the passkey is created for (RP ID)
                 * @example portal.example.com
                 */
                rpId: string;
                /**
                 * @description `single`: bound to one device; `multi`: may be copied to others
                 * @enum {string}
                 */
                deviceType: "single" | "multi";
                /** @description Whether the passkey is backed up */
                backedUp: boolean;
                /**
                 * Format: date-time
                 * @description Time at which it was added
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * @description Time of the last authentication with it
                 * @example 2026-01-31T09:30:00.000Z
                 */
                lastUsedAt: string | null;
            }[];
            /** @description Linked accounts, oldest first */
            providers: components["schemas"]["ProviderAccount"][];
            /** @description The recovery codes */
            recoveryCodes: {
                /**
                 * Format: int32
                 * @description Number of unused recovery codes
                 * @example 1
                 */
                left: number;
                /**
                 * Format: date-time
                 * @description Time at which they were created
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * @description Time at which one was used
                 * @example 2026-01-31T09:30:00.000Z
                 */
                lastUsedAt: string | null;
            } | null;
        };
        /** @description A feature flag as a user gets it, and how it was decided */
        UserFlag: {
            /**
             * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
             * @example new-checkout
             */
            key: string;
            /** @description The value; null if a targeting key is missing */
            value: boolean | string | number | {
                [key: string]: unknown;
            } | null;
            /**
             * @description Name of a variant
             * @example on
             */
            variant: string | null;
            /**
             * @description `STATIC`: the flag has no rules; `TARGETING_MATCH`: a rule matched; `SPLIT`: the split of a rule decided; `DEFAULT`: no rule matched; `DISABLED`: the flag is disabled; `TARGETING_KEY_MISSING`: a rule would split, but there is no targeting key
             * @enum {string}
             */
            reason: "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT" | "DISABLED" | "TARGETING_KEY_MISSING";
            /** @description Index of the rule that matched */
            rule: number | null;
            /** @description Position of the targeting key in the split, in thousandths of a percent */
            bucket: number | null;
        };
        /** @description A page of feature flags of a user */
        UserFlagPage: {
            items: components["schemas"]["UserFlag"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /** @description A page of users */
        UserPage: {
            items: components["schemas"]["User"][];
            /** @description Value of `cursor` for the next page; null on the last page. With filters, a page may hold fewer than `limit` items although more follow */
            nextCursor: string | null;
        };
        /**
         * @description Merge patch: omitted fields keep their value. Deactivating the account ends all of its sessions
         * @example {
         *       "name": "Grace Hopper",
         *       "theme": "dark"
         *     }
         */
        UserPatch: {
            /**
             * Format: idn-email
             * @description E-mail address; the domain can be international
             * @example ada@example.com
             */
            email?: string;
            /**
             * @description 1 to 80 characters (code points in NFC); leading and trailing whitespace is trimmed
             * @example Ada Lovelace
             */
            name?: string;
            /**
             * @description Theme of the app
             * @enum {string}
             */
            theme?: "light" | "dark" | "system";
            profile?: components["schemas"]["ProfilePatch"];
            /**
             * @description Whether the user can sign in
             * @enum {string}
             */
            status?: "active" | "deactivated";
        };
        /**
         * @description The settings that the user writes, with the app's defaults
         * @example {}
         */
        UserSettings: {
            [key: string]: unknown;
        };
        /**
         * @description Merge patch of user settings: what is left out keeps its value, null removes it
         * @example {}
         */
        UserSettingsPatch: {
            [key: string]: unknown;
        };
        /** @description Where a console is, and what it may do */
        ConsoleFacts: {
            /**
             * @description Mode of the portal
             * @enum {string}
             */
            environment: "development" | "production";
            /** @description Whether changes are allowed */
            canWrite: boolean;
            /** @description Whether the portal has a `SETTINGS_SCHEMA` */
            keepsSettings: boolean;
            /**
             * @description User of the operating system, as activity records name them
             * @example ada
             */
            operator: string;
            /**
             * @description Engine and location of the database
             * @example PostgreSQL at db.example.com/portal
             */
            database: string;
        };
        /** @description The link that the terminal printed */
        ConsoleLink: {
            /** @description The secret at the end of the link */
            link: string;
        };
        /** @description The token of a page of the console */
        ConsoleToken: {
            /** @description Send it as `Authorization: Bearer` */
            token: string;
        };
    };
    responses: {
        /** @description The body is too large */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "body-too-large";
                };
            };
        };
        /** @description A page of another site sent the request */
        CrossSite: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "cross-site";
                };
            };
        };
        /** @description An account with this e-mail address already exists */
        EmailTaken: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "email-taken";
                };
            };
        };
        /** @description The Expect header asks for something other than 100-continue */
        ExpectationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "expectation-failed";
                };
            };
        };
        /** @description No feature flag has this key */
        FlagNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "flag-not-found";
                };
            };
        };
        /** @description The caller lacks the permission in `x-access`, or a page of another site sent the request */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "cross-site" | "permission-denied";
                };
            };
        };
        /** @description The headers are too large or too many */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "headers-too-large";
                };
            };
        };
        /** @description The portal does not serve the host in the Host header */
        HostNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "host-not-allowed";
                };
            };
        };
        /** @description The portal failed unexpectedly */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "internal-error";
                };
            };
        };
        /** @description The request is not valid; `errors` lists the fields to correct */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid-request" | "malformed-json" | "malformed-request";
                };
            };
        };
        /** @description The request is not valid; `errors` lists the fields to correct */
        InvalidList: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid-cursor" | "invalid-request" | "malformed-request";
                };
            };
        };
        /** @description The request is not valid; `errors` lists the fields to correct */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid-request" | "malformed-request";
                };
            };
        };
        /** @description The user is the last administrator */
        LastAdmin: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "last-admin";
                };
            };
        };
        /** @description The request is not valid; `errors` lists the fields to correct */
        MalformedBody: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "malformed-json" | "malformed-request";
                };
            };
        };
        /** @description The request is not valid; `errors` lists the fields to correct */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "malformed-request";
                };
            };
        };
        /** @description The user has no passkey with this id */
        PasskeyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "passkey-not-found";
                };
            };
        };
        /** @description The caller lacks the permission in `x-access` */
        PermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "permission-denied";
                };
            };
        };
        /** @description No permission has this key */
        PermissionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "permission-not-found";
                };
            };
        };
        /** @description They were changed after the revision in If-Match */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "precondition-failed";
                };
            };
        };
        /** @description Too many attempts; Retry-After says when to try again */
        RateLimited: {
            headers: {
                /** @description Seconds to wait before the next attempt */
                "Retry-After"?: number;
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "rate-limited";
                };
            };
        };
        /** @description The request took too long to arrive */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "request-timeout";
                };
            };
        };
        /** @description No role has this key */
        RoleNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "role-not-found";
                };
            };
        };
        /** @description No segment has this key */
        SegmentNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "segment-not-found";
                };
            };
        };
        /** @description No service has this key */
        ServiceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "service-not-found";
                };
            };
        };
        /** @description The portal keeps no settings */
        SettingsOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "settings-off";
                };
            };
        };
        /** @description The caller is not signed in */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unauthenticated";
                };
            };
        };
        /** @description The database is unavailable or the portal is overloaded; Retry-After says when to try again */
        Unavailable: {
            headers: {
                /** @description Seconds to wait before the next attempt */
                "Retry-After"?: number;
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "database-unavailable" | "overloaded";
                };
            };
        };
        /** @description There is no provider with this key */
        UnknownProvider: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unknown-provider";
                };
            };
        };
        /** @description There is no recent authentication, or a page of another site sent the request */
        Unproved: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "cross-site" | "reauthentication-required";
                };
            };
        };
        /** @description The body is not application/json */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unsupported-media-type";
                };
            };
        };
        /** @description The URL is too long */
        UriTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "uri-too-long";
                };
            };
        };
        /** @description No user has this id */
        UserNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "user-not-found";
                };
            };
        };
        /** @description The current password is wrong, or a recent authentication is required, or a page of another site sent the request */
        WrongPassword: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "cross-site" | "reauthentication-required" | "wrong-password";
                };
            };
        };
        /** @description The token is not that of the page */
        ConsoleEnded: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "console-ended";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request, as in the log and the audit trail */
        RequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options of this portal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            /** @description The account was created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registered"];
                };
            };
            /** @description A mail was sent to the address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmationSent"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description Registration is closed, or the domain of the address requires a provider, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "provider-required" | "registration-closed";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EmailTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Confirmation"];
            };
        };
        responses: {
            /** @description Confirmed and signed in; Set-Cookie carries the session cookie */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Confirmed, but a second factor is needed, as for `login` */
            202: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorDue"];
                };
            };
            /** @description A field is not valid, or the link is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            /** @description The password is wrong */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-credentials";
                    };
                };
            };
            /** @description Registration was closed before the address was confirmed, or its domain requires a provider, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "provider-required" | "registration-closed";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Signed in; Set-Cookie carries the session cookie */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description A second factor is needed; Set-Cookie carries the login cookie */
            202: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorDue"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description The e-mail address or the password is wrong */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-credentials";
                    };
                };
            };
            /** @description The e-mail address is not confirmed, and a link is sent to it; or its domain requires a provider; or the account will be deleted, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "deletion-pending" | "email-unverified" | "provider-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginVerification"];
            };
        };
        responses: {
            /** @description Signed in; Set-Cookie carries the session cookie */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description The code is wrong, or the sign-in has expired */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-code" | "login-expired";
                    };
                };
            };
            /** @description The domain of the e-mail address requires a provider, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "provider-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The portal cannot check the code, or its database is unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "database-unavailable" | "overloaded" | "second-factor-unreadable";
                    };
                };
            };
        };
    };
    getPendingLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A second factor is needed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorDue"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description No sign-in waits for a second factor in this browser */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "login-expired";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    getPasskeySignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["MalformedBody"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderSearch"];
            };
        };
        responses: {
            /** @description The provider, if the domain has one */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundProvider"];
                };
            };
            400: components["responses"]["InvalidBody"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginProviderFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of a provider
                 * @example google
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderFlow"];
            };
        };
        responses: {
            /** @description The URL; Set-Cookie carries the cookie of the attempt */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderStart"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description The intent is for signed-in users */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description There is no recent authentication, or the e-mail address is not confirmed, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "reauthentication-required";
                    };
                };
            };
            /** @description There is no provider with this key, or the user has no account there */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "provider-account-not-found" | "unknown-provider";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The provider or the database does not answer; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "database-unavailable" | "overloaded" | "provider-unavailable";
                    };
                };
            };
        };
    };
    showProviderCallback: {
        parameters: {
            query?: {
                /** @description Code of the provider */
                code?: string;
                /** @description State of the attempt */
                state?: string;
                /** @description Issuer that sends the code (RFC 9207) */
                iss?: string;
                /** @description Why there is no code */
                error?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Key of a provider
                 * @example google
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that leads the browser to `finish` */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["UnknownProvider"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    postProviderCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of a provider
                 * @example google
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description Code of the provider */
                    code?: string;
                    /** @description State of the attempt */
                    state?: string;
                    /** @description Issuer that sends the code (RFC 9207) */
                    iss?: string;
                    /** @description Why there is no code */
                    error?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A page that leads the browser to `finish` */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["UnknownProvider"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            /** @description The body is not application/x-www-form-urlencoded */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unsupported-media-type";
                    };
                };
            };
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    finishProviderFlow: {
        parameters: {
            query?: {
                /** @description Code of the provider */
                code?: string;
                /** @description State of the attempt */
                state?: string;
                /** @description Issuer that sends the code (RFC 9207) */
                iss?: string;
                /** @description Why there is no code */
                error?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Key of a provider
                 * @example google
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser is led to `returnTo`, or to `errorTo` with `problem` */
            303: {
                headers: {
                    /** @description Where the browser is led */
                    location?: string;
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            /** @description Another site led the browser here */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site";
                    };
                };
            };
            404: components["responses"]["UnknownProvider"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logoutByProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of a provider
                 * @example google
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LogoutNotice"];
            };
        };
        responses: {
            /** @description The sessions have ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description The logout token is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "malformed-request" | "provider-refused";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            404: components["responses"]["UnknownProvider"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            /** @description The body is not application/x-www-form-urlencoded */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unsupported-media-type";
                    };
                };
            };
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The keys of the provider cannot be read; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "database-unavailable" | "overloaded" | "provider-unavailable";
                    };
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** @description Signed in; Set-Cookie carries the session cookie */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description The passkey is unknown, or was not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "passkey-refused" | "unknown-passkey";
                    };
                };
            };
            /** @description The e-mail address is not confirmed, and a link was sent to it; or its domain requires a provider; or the account will be deleted, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "deletion-pending" | "email-unverified" | "provider-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description If there is such an account, a link is sent to its owner */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description The portal sends no mail, or the domain of the address requires a provider, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "mail-off" | "provider-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description The password was set; every session has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is not valid, or the link is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description The account is restored */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is not valid, or the link is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endKeysByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description The keys are revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is not valid, or the link is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revertEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description The address is restored; every session has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is not valid, or the link is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another account uses the address now */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "email-taken";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revertFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description The factor is removed; every session has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is not valid, or the link is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another account uses the address now */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "email-taken";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCurrentSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current user and session, or null */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["CurrentUser"] | null;
                        session: components["schemas"]["CurrentSession"] | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current user and session */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkSession: {
        parameters: {
            query?: {
                /** @description Permissions that the caller must have; may be repeated */
                permission?: string[];
                /** @description Number of factors that must have been proved in the session */
                assurance?: number;
                /** @description Maximum number of seconds since the user last authenticated */
                maxAge?: number;
                /** @description Admits API keys as well; without it they count as nothing */
                accept?: "key";
                /** @description Service that an assertion is for: one of ASSERTION_AUDIENCES */
                audience?: string;
            };
            header?: {
                /**
                 * @description Method of the original request, in capitals
                 * @example POST
                 */
                "x-original-method"?: string;
                /**
                 * @description Alternative to X-Original-Method, which some proxies send
                 * @example POST
                 */
                "x-forwarded-method"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is allowed; the headers identify the user */
            204: {
                headers: {
                    /** @description User id; not for the key of a service */
                    "Portal-User"?: string;
                    /** @description Key of the service, instead of Portal-User */
                    "Portal-Service"?: string;
                    /** @description Id of the API key, instead of Portal-Session */
                    "Portal-Key"?: string;
                    /** @description Session id */
                    "Portal-Session"?: string;
                    /** @description Keys of the roles that count, separated by spaces; left out above 1,000 bytes */
                    "Portal-Roles"?: string;
                    /** @description `true` if the roles are left out */
                    "Portal-Roles-Omitted"?: string;
                    /** @description Keys of the permissions, separated by spaces; left out above 3,000 bytes */
                    "Portal-Permissions"?: string;
                    /** @description `true` if the permissions are left out */
                    "Portal-Permissions-Omitted"?: string;
                    /** @description Number of factors that were proved */
                    "Portal-Assurance"?: string;
                    /** @description Signed statement for the service in `audience`, valid for 60 seconds (JWT, ES256) */
                    "Portal-Assertion"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The original method is missing, the query is not valid, or there are a session and an API key */
            400: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "malformed-request" | "original-method-missing" | "two-credentials";
                    };
                };
            };
            /** @description The caller is not signed in */
            401: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description The user lacks a permission, must authenticate again, or a page of another site sent the original request */
            403: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "key-network" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            /** @description The request took too long to arrive */
            408: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "request-timeout";
                    };
                };
            };
            /** @description The URL is too long */
            414: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "uri-too-long";
                    };
                };
            };
            /** @description The Expect header asks for something other than 100-continue */
            417: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "expectation-failed";
                    };
                };
            };
            /** @description The portal does not serve the host in the Host header */
            421: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "host-not-allowed";
                    };
                };
            };
            /** @description Too many attempts; Retry-After says when to try again */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "rate-limited";
                    };
                };
            };
            /** @description The headers are too large or too many */
            431: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "headers-too-large";
                    };
                };
            };
            /** @description The portal failed unexpectedly */
            500: {
                headers: {
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "internal-error";
                    };
                };
            };
            /** @description The database is unavailable or the portal is overloaded; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    /** @description The problem document in ASCII; left out above 2,000 bytes */
                    "Portal-Problem"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "database-unavailable" | "overloaded";
                    };
                };
            };
        };
    };
    getPasskeyProofOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reauthentication"];
            };
        };
        responses: {
            /** @description Authenticated; Set-Cookie carries the new session cookie */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reauthenticated"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The password, code or passkey is wrong, or the account needs a second factor, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "reauthentication-required" | "wrong-code" | "wrong-passkey" | "wrong-password";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The portal cannot check the code, or its database is unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "database-unavailable" | "overloaded" | "second-factor-unreadable";
                    };
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the cookie is cleared */
            204: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedBody"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The end of the session could not be stored; the cookie is kept */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "database-unavailable" | "overloaded";
                    };
                };
            };
        };
    };
    getOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilePatch"];
            };
        };
        responses: {
            /** @description The updated profile */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOwnName: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NameChange"];
            };
        };
        responses: {
            /** @description The new name */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Name"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOwnTheme: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Theme"];
            };
        };
        responses: {
            /** @description The new theme */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Theme"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnActivity: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "at" | "-at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activity records */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user settings */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SettingsOff"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceOwnSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUserSettings"];
            };
        };
        responses: {
            /** @description The user settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SettingsOff"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOwnSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserSettingsPatch"];
            };
        };
        responses: {
            /** @description The user settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SettingsOff"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettingsSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema of both parts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsSchema"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SettingsOff"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The app settings */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SettingsOff"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnSessions: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnSessionPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All other sessions have ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session was revoked; the cookie of this session is cleared */
            204: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["CrossSite"];
            /** @description The user has no active session with this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "session-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The e-mail address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOwnEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description The new e-mail address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            /** @description A link was sent to the new address, which is `pending` */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WrongPassword"];
            408: components["responses"]["RequestTimeout"];
            /** @description An account with this e-mail address already exists; the roles of the user require a second factor, which must be set up first; or an organization manages one of the addresses */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "email-taken" | "managed-by-provider" | "no-second-factor";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link is sent to the address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The portal sends no mail, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "mail-off";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The e-mail address is already confirmed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "email-verified";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmOwnEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description The confirmed e-mail address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            /** @description A field is not valid, or the link is not valid for this user */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description The address is new, the account needs a second factor, and there is no recent authentication; the link stays valid, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description An account with this e-mail address already exists; the roles of the user require a second factor, which must be set up first; or an organization manages one of the addresses */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "email-taken" | "managed-by-provider" | "no-second-factor";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the current user signs in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Security"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestEnrolmentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link was sent to the address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The portal sends no mail, or the e-mail address is not confirmed, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "mail-off";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The user already has a second factor, none of their roles requires one, or the password was set with a link from a mail in the last 72 hours */
            409: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "enrolment-link-not-needed" | "enrolment-link-waits";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret, which is not shown again */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpEnrolment"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description There is no recent authentication, or the e-mail address is not confirmed, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authenticator app is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Unproved"];
            408: components["responses"]["RequestTimeout"];
            /** @description It is the last second factor, and one is required */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "last-second-factor";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpConfirmation"];
            };
        };
        responses: {
            /** @description The app is set up; Set-Cookie carries the new session cookie */
            200: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description A field is not valid, or the link is not valid for this user */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description The code is wrong, the e-mail address is not confirmed, an enrolment token is required, or there is no recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "enrolment-token-required" | "reauthentication-required" | "wrong-code";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description There is no app to confirm in this session */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "enrolment-not-begun";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPasskeyCreationOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description There is no recent authentication, or the e-mail address is not confirmed, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The user has the maximum number of passkeys */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "too-many-passkeys";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All passkeys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyPage"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            /** @description The new passkey; Set-Cookie carries the new session cookie */
            201: {
                headers: {
                    /** @description Path of the created resource */
                    location?: string;
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description A field, the passkey or the token is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "invalid-passkey" | "invalid-request" | "invalid-token" | "malformed-json" | "malformed-request";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description There is no recent authentication, the e-mail address is not confirmed, or an enrolment token is required, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "enrolment-token-required" | "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The passkey already belongs to an account, or the user has the maximum number of passkeys */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "passkey-exists" | "too-many-passkeys";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkey was removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Unproved"];
            404: components["responses"]["PasskeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description It is the last second factor, and one is required; or the only way to sign in */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "last-second-factor" | "last-sign-in-method";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyPatch"];
            };
        };
        responses: {
            /** @description The renamed passkey */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["CrossSite"];
            404: components["responses"]["PasskeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnApiKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOwnApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The new key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `keys:create` or a permission of the key, there is no recent authentication, or the e-mail address is not confirmed, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "email-unverified" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The user has the maximum number of API keys */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "too-many-keys";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProviderAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All linked accounts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAccountPage"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeOwnApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Key id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["CrossSite"];
            /** @description The user has no active API key with this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "key-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkProviderAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the linked account */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account was unlinked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Unproved"];
            /** @description The user has no linked account with this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "provider-account-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is the only way to sign in, or the user must sign in with this provider */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "last-sign-in-method" | "managed-by-provider";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new codes, which are not shown again */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description There is no recent authentication with a second factor, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The user has no second factor */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "no-second-factor";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorSetting"];
            };
        };
        responses: {
            /** @description The setting is stored; if a second factor is now required and was not before, Set-Cookie carries a new device cookie */
            204: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Unproved"];
            408: components["responses"]["RequestTimeout"];
            /** @description The user has no second factor, or a role requires it */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "no-second-factor" | "second-factor-required";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOwnPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password was changed; Set-Cookie carries the new session cookie */
            204: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    /** @description Number of API keys of the user that still work; left out if there are none */
                    "Portal-Active-Keys"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WrongPassword"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportOwnData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data */
            200: {
                headers: {
                    /** @description Makes browsers save the response as a file */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataExport"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description There is no recent authentication */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "reauthentication-required";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletion"];
            };
        };
        responses: {
            /** @description The deletion is planned; the cookies are cleared */
            202: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlannedDeletion"];
                };
            };
            /** @description The account was deleted; its cookies are cleared */
            204: {
                headers: {
                    /** @description A cookie that is set or cleared; the header can be there several times */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WrongPassword"];
            408: components["responses"]["RequestTimeout"];
            /** @description The user is the last administrator, or a link can still restore a former address */
            409: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "deletion-waits" | "last-admin";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFlags: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of feature flags */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFlag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFlag"];
            };
        };
        responses: {
            /** @description The created feature flag */
            201: {
                headers: {
                    /** @description Path of the created resource */
                    location?: string;
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description A feature flag with this key already exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "flag-exists";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStaleFlags: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key";
                /** @description Number of days without a change; evaluations count in them */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of stale flags */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaleFlagPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    tryFlag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlagTrial"];
            };
        };
        responses: {
            /** @description The result, and how it was decided */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagTrialResult"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `flags:read`, or `users:read` and the context names a user, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "permission-denied";
                    };
                };
            };
            /** @description No feature flag has this key, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "flag-not-found" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    evaluateFlags: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; if it still applies, the response is 304 without a body */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationRequest"];
            };
        };
        responses: {
            /** @description The value of each flag */
            200: {
                headers: {
                    /** @description Tag of this response, for If-None-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkEvaluation"];
                };
            };
            /** @description The evaluation has not changed since the ETag in If-None-Match */
            304: {
                headers: {
                    /** @description Tag of this response, for If-None-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The context is not valid, or the host is not served */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationProblem"] & {
                        /** @enum {string} */
                        code?: "host-not-allowed" | "invalid-request" | "malformed-json" | "malformed-request";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    evaluateFlag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Flag key
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationRequest"];
            };
        };
        responses: {
            /** @description The value of the flag */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evaluation"];
                };
            };
            /** @description The context is not valid or lacks the targeting key, or the host is not served */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationProblem"] & {
                        /** @enum {string} */
                        code?: "host-not-allowed" | "invalid-request" | "malformed-json" | "malformed-request" | "targeting-key-missing";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            /** @description No flag has this key, or it is not public and the caller is not signed in */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationProblem"] & {
                        /** @enum {string} */
                        code?: "flag-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFlagEvaluations: {
        parameters: {
            query?: {
                /** @description Number of days, today included */
                days?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evaluations of the flag */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagEvaluations"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["FlagNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFlag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feature flag */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["FlagNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feature flag was deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["FlagNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The feature flag was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlagPatch"];
            };
        };
        responses: {
            /** @description The updated feature flag */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["FlagNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The feature flag was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFlagRevisions: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "version" | "-version";
            };
            header?: never;
            path: {
                /**
                 * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagRevisionPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No feature flag has or had this key */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "flag-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique flag key: lowercase letters and digits, separated by single hyphens, dots or underscores
                 * @example new-checkout
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Restoration"];
            };
        };
        responses: {
            /** @description The restored feature flag */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `flags:update`, or `flags:create` and the flag was deleted, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "permission-denied";
                    };
                };
            };
            /** @description No feature flag has or had this key, or it has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "flag-not-found" | "revision-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The version is a deletion, has another type, or names roles or segments that no longer exist; or the flag was created meanwhile */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "flag-exists" | "revision-not-restorable";
                    };
                };
            };
            /** @description The feature flag was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeletedFlags: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deleted flags and segments */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedFlagPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of segments */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSegment"];
            };
        };
        responses: {
            /** @description The created segment */
            201: {
                headers: {
                    /** @description Path of the created resource */
                    location?: string;
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description A segment with this key already exists, or there are too many */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "segment-exists" | "too-many-segments";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique segment key, in the form of flag keys
                 * @example beta-testers
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The segment */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique segment key, in the form of flag keys
                 * @example beta-testers
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The segment was deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Rules of flags name the segment */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "segment-in-use";
                    };
                };
            };
            /** @description The segment was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique segment key, in the form of flag keys
                 * @example beta-testers
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentPatch"];
            };
        };
        responses: {
            /** @description The updated segment */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The segment was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSegmentRevisions: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "version" | "-version";
            };
            header?: never;
            path: {
                /**
                 * @description Unique segment key, in the form of flag keys
                 * @example beta-testers
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentRevisionPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No segment has or had this key */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "segment-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique segment key, in the form of flag keys
                 * @example beta-testers
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Restoration"];
            };
        };
        responses: {
            /** @description The restored segment */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `flags:update`, or `flags:create` and the segment was deleted, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "permission-denied";
                    };
                };
            };
            /** @description No segment has or had this key, or it has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "revision-not-found" | "segment-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The version is a deletion, or names roles that no longer exist; the segment was created meanwhile; or there are too many */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "revision-not-restorable" | "segment-exists" | "too-many-segments";
                    };
                };
            };
            /** @description The segment was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMachine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key and its owner */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Machine"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description There is no valid API key in `Authorization` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description The API key is not valid in the network of the client */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "key-network";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of services */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewService"];
            };
        };
        responses: {
            /** @description The new service */
            201: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    /** @description Path of the created resource */
                    location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description A service with this key already exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "service-exists";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantServiceRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example user
                 */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service now has the role */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `services:update` or a permission that the service or the role has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description The service or the role does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "role-not-found" | "service-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeServiceRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example user
                 */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service no longer has the role */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `services:update` or a permission that the service or the role has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description The service or the role does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "role-not-found" | "service-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listServiceKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt";
            };
            header?: never;
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ServiceNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createServiceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The new key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `services:update` or a permission that the service has, or the service lacks a permission of the key, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            404: components["responses"]["ServiceNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The service has the maximum number of API keys */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "too-many-keys";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ServiceNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service was deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `services:delete` or a permission that the service has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            404: components["responses"]["ServiceNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The service has changed in the meantime */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateService: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique key of the service: lowercase letters, digits and hyphens
                 * @example reporting
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServicePatch"];
            };
        };
        responses: {
            /** @description The changed service */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `services:update`, or changes the status of a service that has a permission that the caller lacks, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            404: components["responses"]["ServiceNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The service has changed in the meantime */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAssertionKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key Set (RFC 7517) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            /** @enum {string} */
                            kty: "EC";
                            /** @enum {string} */
                            crv: "P-256";
                            x: string;
                            y: string;
                            /** @example k1 */
                            kid: string;
                            /** @enum {string} */
                            alg: "ES256";
                            /** @enum {string} */
                            use: "sig";
                        }[];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "at" | "-at";
                /** @description Name of the action */
                action?: string;
                /** @description Outcome of the action */
                outcome?: "success" | "failure";
                /** @description Actor id */
                actorId?: string;
                /** @description Target: an id, or the key of a permission or flag */
                targetId?: string;
                /** @description IP address of the caller, or a network in CIDR notation */
                ip?: string;
                /** @description Session: what was done in it, and to it */
                sessionId?: string;
                /** @description Request id, as in `instance` of a problem */
                requestId?: string;
                /** @description Earliest time, inclusive */
                from?: string;
                /** @description Latest time, exclusive */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activity records */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelledActivityPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    summariseActivity: {
        parameters: {
            query: {
                /** @description Length of a bucket */
                bucket: "hour" | "day";
                /** @description Name of the action */
                action?: string;
                /** @description Outcome of the action */
                outcome?: "success" | "failure";
                /** @description Actor id */
                actorId?: string;
                /** @description Target: an id, or the key of a permission or flag */
                targetId?: string;
                /** @description IP address of the caller, or a network in CIDR notation */
                ip?: string;
                /** @description Session: what was done in it, and to it */
                sessionId?: string;
                /** @description Request id, as in `instance` of a problem */
                requestId?: string;
                /** @description Earliest time, inclusive */
                from?: string;
                /** @description Latest time, exclusive */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of records per action and outcome */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivitySummary"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Record id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The activity record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelledActivityRecord"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No activity record has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "activity-record-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt";
                /** @description Only keys of the user or service with this id */
                owner?: string;
                /** @description Only active keys that expire within this many days */
                expiring?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnedApiKeyPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Key id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `keys:revoke` or a permission that the owner of the key has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description No active API key has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "key-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOutbox: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt";
                /** @description Only mail that belongs to the user with this id */
                userId?: string;
                /** @description `pending`: waits for delivery; `sent`: accepted by the mail server; `dead`: refused for good; `dropped`: expired, or there was nobody to send it to; `caught`: kept and not sent, in development */
                state?: "pending" | "sent" | "dead" | "dropped" | "caught";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the outbox */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboxPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mail id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail is scheduled for immediate delivery */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No mail has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "mail-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The mail was delivered or has expired */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "mail-finished";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the portal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPermissions: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of permissions */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPermission: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPermission"];
            };
        };
        responses: {
            /** @description The created permission */
            201: {
                headers: {
                    /** @description Path of the created resource */
                    location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Permission"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description A permission with this key already exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "permission-exists";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique permission key: a noun and a verb, separated by a colon
                 * @example users:read
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The permission */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Permission"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PermissionNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique permission key: a noun and a verb, separated by a colon
                 * @example invoices:read
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The permission was deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `permissions:delete` or the permission to be deleted, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            404: components["responses"]["PermissionNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The permission is part of the portal */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "system-entity";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique permission key: a noun and a verb, separated by a colon
                 * @example invoices:read
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PermissionPatch"];
            };
        };
        responses: {
            /** @description The updated permission */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Permission"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PermissionNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of roles */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolePage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description The created role */
            201: {
                headers: {
                    /** @description Path of the created resource */
                    location?: string;
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `roles:create` or a permission of the new role, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description A role with this key already exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "role-exists";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example user
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RoleNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example support-agent
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role was deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `roles:delete` or a permission of the role; or the role requires a second factor, and the caller lacks a permission of a member, or is a member without a recent authentication with the second factor, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["RoleNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The role is part of the portal */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "system-entity";
                    };
                };
            };
            /** @description The role was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example support-agent
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RolePatch"];
            };
        };
        responses: {
            /** @description The updated role */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `roles:update`; or changes `requiresSecondFactor` and lacks a permission of the role; or clears it and lacks a permission of a member, or is a member without a recent authentication with the second factor, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["RoleNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The role is part of the portal and cannot be renamed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "system-entity";
                    };
                };
            };
            /** @description The role was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantPermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example support-agent
                 */
                key: string;
                /**
                 * @description Unique permission key: a noun and a verb, separated by a colon
                 * @example activity:read
                 */
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role now has the permission */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `roles:update` or the permission to be granted, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description The role or the permission does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "permission-not-found" | "role-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokePermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example support-agent
                 */
                key: string;
                /**
                 * @description Unique permission key: a noun and a verb, separated by a colon
                 * @example activity:read
                 */
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role no longer has the permission */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `roles:update` or the permission to be revoked, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description The role or the permission does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "permission-not-found" | "role-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The role is `admin`, which always has every permission */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "system-entity";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt";
                /** @description User id */
                userId?: string;
                /** @description `active`: in use; `expired`: past its time; `revoked`: ended early */
                state?: "active" | "expired" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeUserSessions: {
        parameters: {
            query: {
                /** @description User id */
                userId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All sessions of the user have ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `sessions:revoke` or a permission that the user has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No session has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "session-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session was revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `sessions:revoke` or a permission that the user has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description No active session has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "session-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettingsSchemaForAdmins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema of both parts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsSchema"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SettingsOff"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "createdAt" | "-createdAt" | "email" | "-email" | "name" | "-name";
                /** @description Part of the e-mail address or of the name; fewer than three characters match only the beginning */
                q?: string;
                /** @description Whether the user can sign in */
                status?: "active" | "deactivated";
                /** @description Unique role key: lowercase letters, digits and hyphens */
                role?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The created user */
            201: {
                headers: {
                    /** @description Path of the created resource */
                    location?: string;
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EmailTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user was deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:delete` or a permission that the user has, or deletes their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LastAdmin"];
            /** @description The user was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            /** @description The updated user */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update`, or changes the e-mail address or status of a user who has a permission that the caller lacks, or of their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description An account with this e-mail address already exists, or the user is the last administrator */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "email-taken" | "last-admin";
                    };
                };
            };
            /** @description The user was changed after the revision given in If-Match */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "precondition-failed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The app settings */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceUserAppSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAppSettings"];
            };
        };
        responses: {
            /** @description The app settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUserAppSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppSettingsPatch"];
            };
        };
        responses: {
            /** @description The app settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserFactors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The second factors */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserFactors"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeUserPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
                /** @description Passkey id */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkey was removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user has, or changes their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            /** @description The user does not exist, or has no such passkey */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "passkey-not-found" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeUserTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user has no authenticator app */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user has, or changes their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUserFlags: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description `nextCursor` of the previous page, used with the same filters and sort */
                cursor?: string;
                /** @description Sort key; prefix with `-` for descending order */
                sort?: "key" | "-key" | "createdAt" | "-createdAt";
                /** @description Number of factors proved in the user's session: roles that require a second factor count with 2 only. By default that of a sign-in with the password */
                assurance?: number;
            };
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of feature flags */
            200: {
                headers: {
                    /** @description Link to the next page (RFC 8288), unless this is the last page */
                    link?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserFlagPage"];
                };
            };
            400: components["responses"]["InvalidList"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUserPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description The password was set */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user has, or changes their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkUserProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
                /** @description Id of the linked account */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account was unlinked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user has, or changes their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            /** @description The user does not exist, or has no such linked account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "provider-account-not-found" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example user
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user now has the role */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user or the role has, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied";
                    };
                };
            };
            /** @description The user or the role does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "role-not-found" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
                /**
                 * @description Unique role key: lowercase letters, digits and hyphens
                 * @example user
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user no longer has the role */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user or the role has, or revokes a role of their own that requires a second factor without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            /** @description The user or the role does not exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "role-not-found" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LastAdmin"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All second factors of the user are removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The caller lacks `users:update` or a permission that the user has, or changes their own account without a recent authentication, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "exceeds-own-permissions" | "permission-denied" | "reauthentication-required";
                    };
                };
            };
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    seeAsUser: {
        parameters: {
            query?: {
                /** @description Number of factors proved in the user's session: roles that require a second factor count with 2 only. By default that of a sign-in with the password */
                assurance?: number;
            };
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the user gets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeenUser"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user settings */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceUserSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUserSettings"];
            };
        };
        responses: {
            /** @description The user settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUserSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserSettingsPatch"];
            };
        };
        responses: {
            /** @description The user settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppSettingsForMachine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The app settings */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description There is no valid API key in `Authorization` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description The caller lacks the permission in `x-access`, or the API key is not valid in the network of the client */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "key-network" | "permission-denied";
                    };
                };
            };
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceAppSettingsForMachine: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAppSettings"];
            };
        };
        responses: {
            /** @description The app settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description There is no valid API key in `Authorization` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description The caller lacks the permission in `x-access`, or the API key is not valid in the network of the client, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "key-network" | "permission-denied";
                    };
                };
            };
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAppSettingsForMachine: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the resource must still have for the request to succeed */
                "if-match"?: string;
            };
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppSettingsPatch"];
            };
        };
        responses: {
            /** @description The app settings after the change */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description There is no valid API key in `Authorization` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description The caller lacks the permission in `x-access`, or the API key is not valid in the network of the client, or a page of another site sent the request */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "cross-site" | "key-network" | "permission-denied";
                    };
                };
            };
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettingsForMachine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user settings */
            200: {
                headers: {
                    /** @description Revision of the resource, for If-Match */
                    etag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description There is no valid API key in `Authorization` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description The caller lacks the permission in `x-access`, or the API key is not valid in the network of the client */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "key-network" | "permission-denied";
                    };
                };
            };
            /** @description The portal keeps no settings, or no user has this id */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "settings-off" | "user-not-found";
                    };
                };
            };
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready to take traffic */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description Not ready to take traffic */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    getConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The console */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleFacts"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["ConsoleEnded"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleLink"];
            };
        };
        responses: {
            /** @description The token of the page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleToken"];
                };
            };
            400: components["responses"]["InvalidBody"];
            /** @description The link was used, or there is a newer one */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "console-ended";
                    };
                };
            };
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The console ends */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid; `errors` lists the fields to correct */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code?: "malformed-json" | "malformed-request";
                    };
                };
            };
            401: components["responses"]["ConsoleEnded"];
            403: components["responses"]["CrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
