# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of accounts, over SQLite and over PostgreSQL."""

import pytest
from alembic import command
from sqlalchemy import text

from arena.connections.admission import hash_token
from arena.features.accounts.records import Accounts, Codes, Ownership, SessionLifetimes, Sessions, Tokens
from arena.features.accounts.roles import Role, scopes_of, skeleton
from arena.features.accounts.rows import BadCode, LastAdministrator, TooMany, UnknownAccount, UnknownCredential
from arena.store import Store
from arena.store.database.engines import make_engines
from arena.store.database.migrating import configuration
from arena.store.errors import BadName, NameTaken
from arena.store.rows import same_owner

LONG = SessionLifetimes(1e6, 1e6)
DAY = 86_400.0
"""Seconds for which a code counts: longer than any test takes."""


@pytest.mark.parametrize(
    ("role", "scopes"),
    [
        ("owner", {"play", "submit"}),
        ("organiser", {"play", "submit", "organise"}),
        ("administrator", {"play", "submit", "organise", "administer"}),
    ],
)
def test_a_role_has_the_scopes_of_lesser_ones(role: Role, scopes: set[str]) -> None:
    assert scopes_of(role) == scopes


@pytest.mark.parametrize("name", ["", "the verifier", "_marion", "märion", "mari\u043en", "x" * 41, "a/b", "a\n"])
async def test_names_are_ascii(store: Store, name: str) -> None:
    with pytest.raises(BadName):
        await store.records(Accounts).add(name, "owner")


@pytest.mark.parametrize("name", ["MARION", "mar1on", "Marlon", "mari0n"])
async def test_names_that_look_alike_are_taken(store: Store, name: str) -> None:
    accounts = store.records(Accounts)
    await accounts.add("marion", "owner")
    with pytest.raises(NameTaken):
        await accounts.add(name, "owner")
    assert (await accounts.find("Marion")).name == "marion"
    assert await accounts.named("marlon") is None


async def test_nobody_takes_the_name_of_an_owner_without_an_account(store: Store) -> None:
    await store.bots.add("robin", "hash", owner="Marion")
    accounts = store.records(Accounts)
    with pytest.raises(NameTaken, match="owner of a bot"):
        await accounts.add("marion", "owner")
    assert (await accounts.add("marion", "owner", owner=True)).role == "owner"


async def test_tokens_are_found_until_they_are_revoked(store: Store) -> None:
    marion = await store.records(Accounts).add("marion", "organiser")
    tokens = store.records(Tokens)
    token = await tokens.add(marion.id, "laptop", "one", frozenset({"play", "administer"}))
    found = await tokens.identify("one")
    assert found is not None
    assert (found.name, set(found.scopes), found.session) == ("marion", {"play"}, None), "never more than its account"
    (listed,) = await tokens.of(marion.id)
    assert listed.last_used is not None
    robin = await store.records(Accounts).add("robin", "owner")
    with pytest.raises(UnknownCredential):
        await tokens.revoke(robin.id, token.id)
    await tokens.revoke(marion.id, token.id)
    assert await tokens.identify("one") is None
    with pytest.raises(UnknownCredential):
        await tokens.revoke(marion.id, token.id)


async def test_an_account_has_a_limit_of_tokens(store: Store) -> None:
    marion = await store.records(Accounts).add("marion", "owner")
    tokens = store.records(Tokens)
    await tokens.add(marion.id, "", "one", frozenset({"play"}), 1)
    with pytest.raises(TooMany):
        await tokens.add(marion.id, "", "other", frozenset({"play"}), 1)


async def test_sessions_end_when_they_are_idle_or_old(store: Store) -> None:
    marion = await store.records(Accounts).add("marion", "owner")
    sessions = store.records(Sessions)
    number = await sessions.begin(marion.id, "secret", "127.0.0.1", "a browser", LONG)
    found = await sessions.identify("secret", LONG)
    assert found is not None
    assert (found.id, found.session, set(found.scopes)) == (marion.id, number, {"play", "submit"})
    for limits in (SessionLifetimes(0.0, 1e6), SessionLifetimes(1e6, 0.0)):
        assert await sessions.identify("secret", limits) is None
        assert await sessions.of(marion.id, limits) == []
    await sessions.end(marion.id, number)
    assert await sessions.identify("secret", LONG) is None


async def test_a_new_password_ends_the_other_sessions(store: Store) -> None:
    accounts, sessions = store.records(Accounts), store.records(Sessions)
    marion = await accounts.add("marion", "owner", password_hash="old")
    kept = await sessions.begin(marion.id, "one", "", "", LONG)
    await sessions.begin(marion.id, "other", "", "", LONG)
    await accounts.set_password(marion.id, "new", keep=kept)
    assert await sessions.identify("one", LONG) is not None
    assert await sessions.identify("other", LONG) is None


async def test_a_code_is_used_once(store: Store) -> None:
    accounts, codes = store.records(Accounts), store.records(Codes)
    await codes.invite("old", "administrator", -1.0)
    await codes.invite("code", "organiser", DAY)
    await codes.check_invitation("code")
    assert (await accounts.add("marion", "owner", code_hash="code")).role == "organiser"
    for bad in ("code", "old", "other"):
        with pytest.raises(BadCode):
            await accounts.add("robin", "owner", code_hash=bad)
        with pytest.raises(BadCode):
            await codes.check_invitation(bad)
    assert await accounts.named("robin") is None, "nothing half done"
    revoked = await codes.invite("revoked", "owner", DAY)
    await codes.revoke_invitation(revoked.id)
    with pytest.raises(BadCode):
        await accounts.add("robin", "owner", code_hash="revoked")


@pytest.mark.parametrize("loss", ["role", "disabled", "deleted"])
async def test_an_invitation_ends_with_the_rights_of_its_administrator(store: Store, loss: str) -> None:
    """Otherwise somebody who administers no more could take the right back."""
    accounts, codes = store.records(Accounts), store.records(Codes)
    await accounts.add("head", "administrator")
    marion = await accounts.add("marion", "administrator")
    await codes.invite("code", "administrator", DAY, by=marion.id)
    await codes.invite("second", "administrator", DAY, by=marion.id)
    await codes.check_invitation("code")
    assert len(await codes.invitations()) == 2
    match loss:
        case "role":
            await accounts.set_role(marion.id, "organiser")
        case "disabled":
            await accounts.set_disabled(marion.id, True)
        case "deleted":
            await accounts.delete(marion.id)
    with pytest.raises(BadCode):
        await codes.check_invitation("code")
    with pytest.raises(BadCode):
        await accounts.add("robin", "owner", code_hash="code")
    assert await codes.invitations() == []


async def test_a_password_that_was_changed_meanwhile_counts_no_more(store: Store) -> None:
    """A sign-in with the old password, which is still checked, must not outlive the change."""
    accounts, sessions = store.records(Accounts), store.records(Sessions)
    marion = await accounts.add("marion", "owner", password_hash="old")
    await accounts.set_password(marion.id, "new", was="old")
    with pytest.raises(UnknownCredential):
        await sessions.begin(marion.id, "secret", "", "", LONG, password_hash="old")
    with pytest.raises(BadCode):
        await accounts.set_password(marion.id, "the attacker's", was="old")
    assert (await accounts.get(marion.id)).password_hash == "new"
    await sessions.begin(marion.id, "secret", "", "", LONG, password_hash="new")


async def test_a_reset_sets_the_password_once_and_ends_sessions(store: Store) -> None:
    accounts, codes, sessions = store.records(Accounts), store.records(Codes), store.records(Sessions)
    marion = await accounts.add("marion", "owner", password_hash="old")
    await sessions.begin(marion.id, "secret", "", "", LONG)
    await codes.reset("first", marion.id, DAY)
    await codes.reset("second", marion.id, DAY)
    with pytest.raises(BadCode):
        await accounts.reset_password("first", "new")
    await accounts.reset_password("second", "new")
    assert (await accounts.get(marion.id)).password_hash == "new"
    assert await sessions.identify("secret", LONG) is None
    with pytest.raises(BadCode):
        await accounts.reset_password("second", "newer")


async def test_disabling_ends_all_ways_in(store: Store) -> None:
    accounts = store.records(Accounts)
    marion = await accounts.add("marion", "owner")
    await store.records(Tokens).add(marion.id, "", "token", frozenset({"play"}))
    await store.records(Sessions).begin(marion.id, "secret", "", "", LONG)
    await store.records(Ownership).register(marion.id, "robin", "play token")
    await accounts.set_disabled(marion.id, True)
    assert await store.records(Tokens).identify("token") is None
    assert await store.records(Sessions).identify("secret", LONG) is None
    assert await store.bots.by_token("play token") is None
    await accounts.set_disabled(marion.id, False)
    assert await store.records(Tokens).identify("token") is not None
    assert await store.records(Sessions).identify("secret", LONG) is None


async def test_deletion_keeps_records_without_the_name(store: Store) -> None:
    accounts, ownership = store.records(Accounts), store.records(Ownership)
    marion = await accounts.add("marion", "owner", password_hash="hash", email="marion@example.org")
    bot = await ownership.register(marion.id, "robin", "play token")
    await store.records(Tokens).add(marion.id, "", "token", frozenset({"play"}))
    await accounts.delete(marion.id)
    gone = await store.bots.get(bot.id)
    assert gone is not None
    assert (gone.owner, gone.removed is None) == (f"deleted account {marion.id}", False)
    assert await store.records(Tokens).identify("token") is None
    for number in (marion.id, 99):
        with pytest.raises(UnknownAccount):
            await accounts.get(number)
    assert await accounts.all() == []
    again = await accounts.add("marion", "owner")
    assert await ownership.bots(again.id) == []


async def test_bots_of_two_deleted_accounts_have_two_owners(store: Store) -> None:
    """Matches between them are not matches of one owner."""
    accounts, ownership = store.records(Accounts), store.records(Ownership)
    owners = []
    for name in ("marion", "robin"):
        account = await accounts.add(name, "owner")
        bots = [await ownership.register(account.id, f"{name}-{number}", f"{name} {number}") for number in range(2)]
        await accounts.delete(account.id)
        owners.append([gone.owner for bot in bots if (gone := await store.bots.get(bot.id)) is not None])
    (one, twin), (other, _) = owners
    assert (same_owner(one, twin), same_owner(one, other)) == (True, False)


async def test_the_last_administrator_stays(store: Store) -> None:
    accounts = store.records(Accounts)
    assert not await accounts.has_administrator()
    marion = await accounts.add_first("marion", "hash")
    assert marion.role == "administrator"
    with pytest.raises(BadCode):
        await accounts.add_first("robin", "hash")
    for change in (
        accounts.set_role(marion.id, "owner"),
        accounts.set_disabled(marion.id, True),
        accounts.delete(marion.id),
    ):
        with pytest.raises(LastAdministrator):
            await change
    await accounts.add("robin", "administrator")
    assert (await accounts.set_role(marion.id, "owner")).role == "owner"


async def test_an_account_owns_bots_up_to_a_limit(store: Store) -> None:
    accounts, ownership = store.records(Accounts), store.records(Ownership)
    marion = await accounts.add("marion", "owner")
    bot = await ownership.register(marion.id, "robin", "hash", most=1)
    assert bot.owner == "marion"
    assert await ownership.owner(bot.id) == marion.id
    with pytest.raises(TooMany):
        await ownership.register(marion.id, "tuck", "other", most=1)
    await store.bots.remove("robin")
    assert await ownership.count(marion.id) == 0
    await ownership.register(marion.id, "tuck", "other", most=1)
    assert await ownership.counts([marion.id]) == {marion.id: 1}
    assert [bot.name for bot in await ownership.bots(marion.id)] == ["tuck"]


def before_accounts(url: str, operators: list[tuple[str, str, float]]) -> None:
    """Make a database of the version before accounts."""
    engines = make_engines(url)
    with engines.writing.begin() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "0012")
        for name, token_hash, created in operators:
            values = {"name": name, "hash": token_hash, "created": created}
            connection.execute(text("INSERT INTO operator VALUES (:name, :hash, :created)"), values)
    engines.dispose()


async def test_operators_become_accounts_and_their_tokens_keep_working(database_url: str) -> None:
    before_accounts(
        database_url,
        [
            ("marion", hash_token("one"), 5.0),
            ("Marion", hash_token("two"), 6.0),
            ("Søren K.", hash_token("three"), 7.0),
            ("the verifier", hash_token("four"), 8.0),
        ],
    )
    async with await Store.open(database_url) as store:
        accounts, tokens = store.records(Accounts), store.records(Tokens)
        rows = [(row.name, row.role, row.created) for row in await accounts.all()]
        assert rows == [
            ("marion", "organiser", 5.0),
            ("Marion-2", "organiser", 6.0),
            ("Søren K.", "organiser", 7.0),
        ]
        for token, name in (("one", "marion"), ("two", "Marion-2"), ("three", "Søren K.")):
            found = await tokens.identify(hash_token(token))
            assert found is not None
            assert (found.name, set(found.scopes)) == (name, {"organise"})
        assert await tokens.identify(hash_token("four")) is None
        with pytest.raises(NameTaken):
            await accounts.add("mar1on", "owner")
    assert skeleton("Marion-2") == "marlon-2"
