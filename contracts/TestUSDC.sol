// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {Signatures} from "./lib/Signatures.sol";

/// @title TestUSDC
/// @notice A six-decimal token for the local chain: ERC-20, signed transfers of EIP-3009, free minting.
contract TestUSDC {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    error InsufficientBalance();
    error InsufficientAllowance();
    error InvalidReceiver();
    error AuthorizationNotYetValid();
    error AuthorizationExpired();
    error AuthorizationUsedOrCanceled();
    error CallerMustBePayee();
    error InvalidSignature();

    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    string public constant version = "2";
    uint8 public constant decimals = 6;
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    /// @notice Whether a signed transfer was used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    /// @notice Creates tokens out of nothing; this is a local chain.
    function mint(address to, uint256 amount) external {
        if (to == address(0)) revert InvalidReceiver();
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Allows a spender to take tokens of the caller.
    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    /// @notice Sends tokens of the caller.
    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    /// @notice Sends tokens of an owner who allowed it.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < amount) revert InsufficientAllowance();
            allowance[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
        return true;
    }

    /// @notice Executes a transfer that its sender signed; anyone may hand it in.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 typeHash = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        _useAuthorization(
            from, nonce, keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce)), v, r, s
        );
        _checkTime(validAfter, validBefore);
        _move(from, to, value);
    }

    /// @notice Executes a transfer that its sender signed; only the payee may hand it in.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (to != msg.sender) revert CallerMustBePayee();
        bytes32 typeHash = RECEIVE_WITH_AUTHORIZATION_TYPEHASH;
        _useAuthorization(
            from, nonce, keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce)), v, r, s
        );
        _checkTime(validAfter, validBefore);
        _move(from, to, value);
    }

    /// @notice Cancels a signed transfer that was not used yet.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        _checkSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), v, r, s);
        _consume(authorizer, nonce);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @notice EIP-712 domain of this token on the live chain.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return Signatures.domainSeparator(keccak256(bytes(name)), keccak256(bytes(version)));
    }

    function _useAuthorization(address from, bytes32 nonce, bytes32 structHash, uint8 v, bytes32 r, bytes32 s)
        private
    {
        _checkSignature(from, structHash, v, r, s);
        _consume(from, nonce);
        emit AuthorizationUsed(from, nonce);
    }

    function _consume(address authorizer, bytes32 nonce) private {
        if (authorizationState[authorizer][nonce]) revert AuthorizationUsedOrCanceled();
        authorizationState[authorizer][nonce] = true;
    }

    function _checkSignature(address signer, bytes32 structHash, uint8 v, bytes32 r, bytes32 s) private view {
        bytes32 digest = Signatures.typedDigest(DOMAIN_SEPARATOR(), structHash);
        address recovered = Signatures.recover(digest, v, r, s);
        if (recovered == address(0) || recovered != signer) revert InvalidSignature();
    }

    function _checkTime(uint256 validAfter, uint256 validBefore) private view {
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid();
        if (block.timestamp >= validBefore) revert AuthorizationExpired();
    }

    function _move(address from, address to, uint256 amount) private {
        if (to == address(0)) revert InvalidReceiver();
        uint256 balance = balanceOf[from];
        if (balance < amount) revert InsufficientBalance();
        balanceOf[from] = balance - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
