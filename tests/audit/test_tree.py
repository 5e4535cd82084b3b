"""Trees, proofs and signed notes, compared with independent implementations: `pymerkle`, the definitions of
RFC 6962 written again here, and a note that the Go programming language's own tool has signed.
"""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from audit.tree import layout, notes
from audit.tree.hashes import EMPTY, HASH_BYTES, TILE_BYTES, TILE_WIDTH, Frontier, node, root_of
from audit.tree.layout import Tile
from audit.tree.notes import Checkpoint, InvalidNote, VerifierKey
from audit.tree.proofs import TileMissing, Tree, is_consistent, root_by_inclusion
from casino.exports import verify_proof
from tests.counts import LONG

MOST = 70_000
ENTRIES = [number.to_bytes(4, "big") for number in range(MOST)]
LEAVES = [sha256(b"\0" + entry).digest() for entry in ENTRIES]
SIZES = (1, 2, 3, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, MOST)
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6Ry"
    "yBwJnAM=\n"
)
"""The example in the documentation of golang.org/x/mod/sumdb/note."""
GO_SECRET = b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]


def mth(leaves: list[bytes]) -> bytes:
    """Compute the Merkle Tree Hash as section 2.1 of RFC 6962 defines it."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def subproof(m: int, leaves: list[bytes], is_whole: bool = True) -> list[bytes]:
    """Compute the consistency proof as section 2.1.2 of RFC 6962 defines it."""
    if m == len(leaves):
        return [] if is_whole else [mth(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*subproof(m, leaves[:k], is_whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def tiles_of(leaves: list[bytes]) -> dict[tuple[int, int], bytes]:
    """Return all tiles of a tree."""
    tiles, level, hashes = {}, 0, b"".join(leaves)
    while hashes:
        parts = [hashes[at : at + TILE_BYTES] for at in range(0, len(hashes), TILE_BYTES)]
        tiles |= {(level, index): part for index, part in enumerate(parts)}
        hashes = b"".join(root_of(part) for part in parts if len(part) == TILE_BYTES)
        level += 1
    return tiles


TILES = tiles_of(LEAVES)
TREE = Tree(lambda level, index: TILES.get((level, index), b""))


@pytest.fixture(scope="module")
def reference() -> InmemoryTree:
    """Return the tree of `ENTRIES` as `pymerkle` computes it."""
    tree = InmemoryTree()
    tree.append_entries(ENTRIES)
    return tree


def test_roots_equal_those_of_pymerkle(reference: InmemoryTree) -> None:
    random = Random(6962)
    for size in (*SIZES, *(random.randint(1, MOST) for _ in range(2000 if LONG else 40))):
        assert TREE.root(size) == reference.get_root(size)
    assert TREE.root(0) == EMPTY == sha256().digest()


def test_inclusion_proofs_equal_those_of_pymerkle(reference: InmemoryTree) -> None:
    random = Random(1)
    for size in (*SIZES, *(random.randint(1, MOST) for _ in range(3000 if LONG else 60))):
        index = random.randrange(size)
        path = TREE.inclusion(index, size)
        assert reference.prove_inclusion(index + 1, size).path == [LEAVES[index], *path]
        assert root_by_inclusion(LEAVES[index], index, size, path) == reference.get_root(size)
        assert verify_proof.root_with(LEAVES[index], index, size, path) == reference.get_root(size)


def test_consistency_proofs_verify_against_the_roots_of_pymerkle(reference: InmemoryTree) -> None:
    random = Random(2)
    for new in (*SIZES, *(random.randint(1, MOST) for _ in range(3000 if LONG else 60))):
        old = random.randint(1, new)
        path, roots = TREE.consistency(old, new), (reference.get_root(old), reference.get_root(new))
        assert is_consistent(old, new, *roots, path)
        assert verify_proof.both_roots(old, new, path, roots[0]) == roots


def test_small_trees_are_as_the_rfc_defines_them() -> None:
    for new in range(1, 40):
        leaves = LEAVES[:new]
        assert TREE.root(new) == mth(leaves)
        for old in range(1, new + 1):
            assert TREE.consistency(old, new) == subproof(old, leaves)
        for index in range(new):
            assert root_by_inclusion(leaves[index], index, new, TREE.inclusion(index, new)) == mth(leaves)


@given(st.integers(1, 600), st.data())
def test_a_changed_proof_is_not_valid(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    path, root = TREE.inclusion(index, size), TREE.root(size)
    wrong = data.draw(st.integers(0, len(path)))
    changed = [*path[:wrong], sha256(b"x").digest(), *path[wrong + 1 :]]
    assert root_by_inclusion(LEAVES[index], index, size, changed) != root
    assert root_by_inclusion(LEAVES[index] if path else b"", index, size, path[:-1]) != root
    assert root_by_inclusion(LEAVES[index], index, size, [*path, root]) is None
    assert root_by_inclusion(LEAVES[index], size, size, path) is None
    old = data.draw(st.integers(1, size))
    proof = TREE.consistency(old, size)
    assert not is_consistent(old, size, sha256(b"x").digest(), root, proof)
    assert not is_consistent(old, size, TREE.root(old), sha256(b"x").digest(), proof)
    assert not is_consistent(old, size, TREE.root(old), root, [*proof, root])
    assert old == size or not is_consistent(old, size, TREE.root(old), root, proof[:-1])


def test_a_frontier_has_the_root_of_its_tree() -> None:
    frontier = Frontier()
    for size in range(0, 3000, TILE_WIDTH):
        assert frontier.root() == TREE.root(size)
        assert frontier.root(b"".join(LEAVES[size : size + 77])) == TREE.root(size + 77)
        frontier.append(root_of(b"".join(LEAVES[size : size + TILE_WIDTH])))


def test_a_missing_tile_is_named() -> None:
    tree = Tree(lambda level, index: b"" if (level, index) == (0, 1) else TILES.get((level, index), b""))
    assert tree.root(512) == TREE.root(512)
    with pytest.raises(TileMissing, match="level 0, index 1"):
        tree.inclusion(300, 600)


def test_tiles_are_laid_out_as_the_specification_says() -> None:
    assert Tile(0, 1_234_067, 256).path == "tile/0/x001/x234/067"
    assert Tile(1, 0, 17).path == "tile/1/000.p/17"
    assert Tile(0, 273, 112).path == "tile/0/273.p/112"
    assert list(layout.edge(70_000)) == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert list(layout.edge(256)) == [Tile(0, 0, 256), Tile(1, 0, 1)]
    every = {(tile.level, tile.index): tile.width for tile in layout.tiles_between(0, 70_000)}
    assert every == {place: len(hashes) // HASH_BYTES for place, hashes in tiles_of(LEAVES).items()}


@given(st.integers(0, 200_000), st.integers(0, 200_000))
def test_new_tiles_are_those_with_more_hashes(first: int, second: int) -> None:
    old, new = sorted((first, second))
    before = {(tile.level, tile.index): tile.width for tile in layout.tiles_between(0, old)}
    after = {(tile.level, tile.index): tile.width for tile in layout.tiles_between(0, new)}
    between = {(tile.level, tile.index): tile.width for tile in layout.tiles_between(old, new)}
    assert between | {place: width for place, width in after.items() if before.get(place) == width} == after
    assert not [place for place, width in between.items() if before.get(place) == width == 256]


def test_a_note_of_another_implementation_is_read_and_made() -> None:
    key, private = notes.parse_vkey(GO_KEY), Ed25519PrivateKey.from_private_bytes(GO_SECRET)
    assert notes.signers(notes.parse(GO_NOTE), [key]) == [key]
    assert key.text == GO_KEY
    assert notes.sign(GO_NOTE.rpartition("\n\n")[0] + "\n", [("PeterNeumann", private)]) == GO_NOTE
    assert verify_proof.parse_vkey(GO_KEY).public == key.public


def test_a_checkpoint_is_read_as_it_was_written() -> None:
    private = Ed25519PrivateKey.generate()
    key = notes.verifier_of("catwalk.example/aurora", private)
    stated = Checkpoint("catwalk.example/aurora", 70_000, TREE.root(70_000))
    note = notes.sign(notes.checkpoint_text(stated), [(key.name, private)])
    assert notes.read_checkpoint(notes.parse(note)) == stated
    opened = verify_proof.open_checkpoint(note, [verify_proof.parse_vkey(key.text)], [])
    assert (opened.origin, opened.size, opened.root) == stated


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("70000", "70001", "not valid"),
        ("— catwalk", "— catwalks", "None of the given keys"),
        ("\n\n—", "\n—", "not a signed note"),
        ("70000", "70\t000", "control characters"),
    ],
)
def test_a_changed_note_is_refused(old: str, new: str, says: str) -> None:
    private = Ed25519PrivateKey.generate()
    text = notes.checkpoint_text(Checkpoint("catwalk.example", 70_000, EMPTY))
    note = notes.sign(text, [("catwalk.example", private)])
    assert old in note
    with pytest.raises(InvalidNote, match=says):
        notes.signers(notes.parse(note.replace(old, new, 1)), [notes.verifier_of("catwalk.example", private)])


@given(st.text(max_size=200))
def test_any_text_is_a_note_or_refused(text: str) -> None:
    for read in (notes.parse, notes.parse_vkey, lambda part: notes.read_checkpoint(notes.Note(part, ()))):
        try:
            read(text)
        except InvalidNote:
            continue


def test_names_of_keys_have_no_spaces_and_no_plus() -> None:
    for name in ("", "a b", "a+b", "a\nb", "a\u2003b"):
        assert not notes.is_key_name(name)
    assert notes.is_key_name("catwalk.example/aurora%20east")
    with pytest.raises(InvalidNote, match="that of its key"):
        notes.parse_vkey(VerifierKey("a", bytes(32)).text.replace("a+", "b+", 1))


def test_nodes_and_leaves_are_hashed_apart() -> None:
    assert node(EMPTY, EMPTY) == sha256(b"\1" + EMPTY + EMPTY).digest()
    assert root_of(EMPTY + EMPTY) == node(EMPTY, EMPTY)
